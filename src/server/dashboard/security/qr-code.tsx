import { encode } from 'uqr'
import { type Html, h } from '../components/html.js'

/** Modules of free space around the code (ISO/IEC 18004, section 6.3.8). */
const border = 4

/** A QR code on a dashboard page, black on white also in the dark theme. */
export function QrCode({ text, label }: { readonly text: string; label: string }): Html {
  const { size, data } = encode(text, { border, ecc: 'M' })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={String(size)} height={String(size)} fill="#fff" />
      <path d={squares.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
