import { encode } from 'uqr'
import { type Html, h } from '../components/html.js'

/** Modules of free space around the code (ISO/IEC 18004, section 6.3.8). */
const border = 4

export function QrCode({ text, label }: { readonly text: string; label: string }): Html {
  const { size, data } = encode(text, { border, ecc: 'M' })
  const bars = data.flatMap((row, y) =>
    listDarkBars(row).map(([x, n]) => `M${x} ${y}h${n}v1h-${n}z`),
  )
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={String(size)} height={String(size)} fill="#fff" />
      <path d={bars.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}

/** The dark modules of a row, those next to each other as one: where they begin, and how many. */
function listDarkBars(row: readonly boolean[]): (readonly [from: number, length: number])[] {
  const text = row.map(isDark => (isDark ? '1' : '0')).join('')
  return [...text.matchAll(/1+/g)].map(({ 0: bar, index }) => [index, bar.length] as const)
}
