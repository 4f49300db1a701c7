/** What a modem sends, piece by piece. */
export type AtPiece =
  | { readonly kind: 'line'; readonly text: string }
  /** `> `: it waits for the text (3GPP TS 27.005 section 3.5.1). */
  | { readonly kind: 'prompt' }

/** Longest line that is kept; what a broken line sends without an end must not fill the memory. */
const maxLineLength = 4096

/** Divides what a modem sends into lines and prompts, wherever it is cut (ITU-T V.250 section 5.7). */
export class AtLineReader {
  #rest = ''

  /** The pieces that are whole with these characters. */
  push(text: string): AtPiece[] {
    const lines = (this.#rest + text).split(/[\r\n]+/)
    this.#rest = (lines.pop() ?? '').slice(-maxLineLength)
    const pieces = lines.flatMap(parsePieces)
    if (/^\s*>\s?$/.test(this.#rest)) {
      this.#rest = ''
      pieces.push({ kind: 'prompt' })
    }
    return pieces
  }
}

function parsePieces(line: string): AtPiece[] {
  const text = line.trim()
  if (text === '') return []
  return text === '>' ? [{ kind: 'prompt' }] : [{ kind: 'line', text }]
}
