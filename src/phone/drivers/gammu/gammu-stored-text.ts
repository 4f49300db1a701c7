import type { PartPosition } from '../../../domain/sms/sms-parts.js'

/** A text as `gammu getsms` prints it. */
export interface StoredText {
  readonly from: string
  readonly text: string
  /** When the network got it, as gammu prints it. */
  readonly sent: string
  readonly part?: PartPosition
  /** Whether a character of it may stand in two parts, and be printed in neither. */
  readonly halves: boolean
}

/**
 * Reads what `gammu getsms` printed of one location: lines of a name and a value, an empty line, the text, an empty
 * line. Undefined when nothing is there, or no text that was received.
 */
export function parseStoredText(printed: string): StoredText | undefined {
  const cut = printed.indexOf('\n\n')
  const head = printed.slice(0, cut + 1)
  if (cut === -1 || !/^Location [^\n]*\nSMS message\n/.test(head)) return undefined
  const from = /^Remote number +: "([\s\S]*?)"$/m.exec(head)?.[1]
  if (from === undefined || !/^Status +: (UnRead|Read)$/m.test(head)) return undefined
  const part = parsePart(head)
  return {
    from,
    text: printed.slice(cut + 2).replace(/\n\n$/, ''),
    sent: /^Sent +: (.*)$/m.exec(head)?.[1] ?? '',
    ...(part === undefined ? {} : { part }),
    halves: part !== undefined && /^Coding +: Unicode/m.test(head),
  }
}

/** Such as `User Data Header : Concatenated (linked) message, ID (8 bit) 164, part 1 of 2`. */
function parsePart(head: string): PartPosition | undefined {
  const found = /^User Data Header .*ID \(\d+ bit\) (\d+), part (\d+) of (\d+)$/m.exec(head)
  const [reference = 0, number = 0, count = 0] = (found ?? []).slice(1).map(Number)
  return number >= 1 && number <= count ? { reference, number, count } : undefined
}
