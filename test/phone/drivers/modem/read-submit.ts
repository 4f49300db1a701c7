/** The fields of an SMS-SUBMIT. */
export interface Submit {
  readonly to: string
  readonly text: string
  readonly place: { reference: number; count: number; number: number } | undefined
}

const table =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const second: Record<number, string> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
}

/** Octets of TP-VP by TP-VPF (3GPP TS 23.040 section 9.2.3.3). */
const validityOctets = [0, 7, 1, 7] as const

/** Reads an SMS-SUBMIT bit by bit, in another way than the driver writes it (3GPP TS 23.040). */
export function readSubmit(hex: string): Submit {
  const octets = hex.match(/../g)?.map(each => Number.parseInt(each, 16)) ?? []
  const [center = 0, kind = 0, , digits = 0, type = 0] = octets
  if (center !== 0 || (kind & 3) !== 1) throw new Error('no SMS-SUBMIT of the usual kind')
  const half = Math.ceil(digits / 2)
  const number = octets
    .slice(5, 5 + half)
    .map(each => each.toString(16).padStart(2, '0').split('').reverse().join(''))
    .join('')
    .slice(0, digits)
  const [pid, coding, ...rest] = octets.slice(5 + half)
  const [length = 0, ...data] = rest.slice(validityOctets[(kind >> 3) & 3])
  if (pid !== 0) throw new Error('a protocol')
  const header = (kind & 0x40) === 0 ? [] : data.slice(0, (data[0] ?? 0) + 1)
  const isLong = header[1] === 8
  const [reference = 0, count = 0, index = 0] = isLong
    ? [(header[3] ?? 0) * 256 + (header[4] ?? 0), ...header.slice(5)]
    : header.slice(3)
  return {
    to: (type === 0x91 ? '+' : '') + number,
    text:
      coding === 8
        ? wide(data.slice(header.length), length - header.length)
        : narrow(data, length, header.length),
    place: header.length === 0 ? undefined : { reference, count, number: index },
  }
}

function wide(octets: readonly number[], length: number): string {
  if (octets.length !== length) throw new Error(`${octets.length} octets, not ${length}`)
  const units = octets.flatMap((each, at) =>
    at % 2 === 0 ? [each * 256 + (octets[at + 1] ?? 0)] : [],
  )
  return String.fromCharCode(...units)
}

function narrow(data: readonly number[], length: number, header: number): string {
  const bits = data
    .map(each => each.toString(2).padStart(8, '0').split('').reverse().join(''))
    .join('')
  if (data.length !== Math.ceil((length * 7) / 8)) throw new Error('a wrong length')
  const codes = Array.from({ length }, (_, at) =>
    Number.parseInt(
      bits
        .slice(at * 7, at * 7 + 7)
        .split('')
        .reverse()
        .join(''),
      2,
    ),
  ).slice(Math.ceil((header * 8) / 7))
  let text = ''
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 27) {
      at += 1
      text += second[codes[at] ?? 0] ?? '?'
    } else text += table[code]
  }
  return text
}
