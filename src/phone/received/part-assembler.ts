import type { Piece } from './received-records.js'

/** A text of which all parts are here. */
export interface WholeText {
  /** Idempotency key of its report. */
  readonly key: string
  readonly from: string
  readonly text: string
  /** When the network got it, in milliseconds since the epoch. */
  readonly at: number
  /** Of the pieces it was made of. */
  readonly keys: readonly string[]
}

type Parts = Map<number, Piece>

/** Stands where a part never came. */
const missing = '[…]'

/** Puts the parts of texts together, in whatever order they come (3GPP TS 23.040 section 9.2.3.24.1). */
export class Gathering {
  readonly #groups = new Map<string, Parts>()

  /** Adds a piece; the text it makes whole, if it does. */
  add(piece: Piece): WholeText | undefined {
    const { part } = piece
    if (part === undefined) return together([piece])
    const group = groupOf(piece)
    const parts: Parts = this.#groups.get(group) ?? new Map()
    this.#groups.set(group, parts.set(part.number, piece))
    if (parts.size < part.count) return undefined
    this.#groups.delete(group)
    return together(inOrder(parts))
  }

  /** Whether there are texts of which parts are missing. */
  get waits(): boolean {
    return this.#groups.size > 0
  }

  /** Gives up the texts whose last part came before a time; what there is of them. */
  stale(before: number): WholeText[] {
    const old = [...this.#groups].filter(([, parts]) =>
      [...parts.values()].every(each => each.cameAt < before),
    )
    return old.map(([group, parts]) => {
      this.#groups.delete(group)
      const pieces = inOrder(parts)
      const count = pieces[0]?.part?.count ?? 0
      const texts = Array.from({ length: count }, (_, at) => parts.get(at + 1)?.text ?? missing)
      return { ...together(pieces), text: texts.join('') }
    })
  }
}

function groupOf({ line, from, part }: Piece): string {
  return JSON.stringify([line, from, part?.reference, part?.count])
}

function inOrder(parts: Parts): Piece[] {
  return [...parts].sort(([one], [other]) => one - other).map(([, piece]) => piece)
}

function together(pieces: readonly Piece[]): WholeText {
  const [first] = pieces
  const keys = pieces.map(each => each.key)
  const text = pieces.map(each => each.text).join('')
  return { key: keys[0] ?? '', from: first?.from ?? '', text, at: timeOf(first), keys }
}

/** What a phone says of the time can be nonsense; then it is when the text came. */
function timeOf(piece: Piece | undefined): number {
  const { at = 0, cameAt = 0 } = piece ?? {}
  return at > 0 && at < cameAt + 86_400_000 ? at : cameAt
}
