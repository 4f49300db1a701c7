import type { ReceivedPart } from './received-records.js'

/** A text of which all parts are here. */
export interface CompleteText {
  /** Idempotency key of its report. */
  readonly key: string
  readonly from: string
  readonly text: string
  /** When the network got it, in milliseconds since the epoch. */
  readonly at: number
  /** Of the pieces it was made of. */
  readonly keys: readonly string[]
}

type PartsByNumber = Map<number, ReceivedPart>

/** Stands where a part never came. */
const missingPart = '[…]'

/** Puts the parts of texts together, in whatever order they come (3GPP TS 23.040 section 9.2.3.24.1). */
export class PartAssembler {
  readonly #groups = new Map<string, PartsByNumber>()

  /** Adds a piece; the text it makes whole, if it does. */
  add(piece: ReceivedPart): CompleteText | undefined {
    const { part } = piece
    if (part === undefined) return joinParts([piece])
    const group = getGroupKey(piece)
    const parts: PartsByNumber = this.#groups.get(group) ?? new Map()
    this.#groups.set(group, parts.set(part.number, piece))
    if (parts.size < part.count) return undefined
    this.#groups.delete(group)
    return joinParts(sortParts(parts))
  }

  /** Whether there are texts of which parts are missing. */
  get hasIncomplete(): boolean {
    return this.#groups.size > 0
  }

  /** Gives up the texts whose last part came before a time; what there is of them. */
  takeExpired(before: number): CompleteText[] {
    const old = [...this.#groups].filter(([, parts]) =>
      [...parts.values()].every(each => each.cameAt < before),
    )
    return old.map(([group, parts]) => {
      this.#groups.delete(group)
      const pieces = sortParts(parts)
      const count = pieces[0]?.part?.count ?? 0
      const texts = Array.from({ length: count }, (_, at) => parts.get(at + 1)?.text ?? missingPart)
      return { ...joinParts(pieces), text: texts.join('') }
    })
  }
}

function getGroupKey({ line, from, part }: ReceivedPart): string {
  return JSON.stringify([line, from, part?.reference, part?.count])
}

function sortParts(parts: PartsByNumber): ReceivedPart[] {
  return [...parts].sort(([one], [other]) => one - other).map(([, piece]) => piece)
}

function joinParts(pieces: readonly ReceivedPart[]): CompleteText {
  const [first] = pieces
  const keys = pieces.map(each => each.key)
  const text = pieces.map(each => each.text).join('')
  return { key: keys[0] ?? '', from: first?.from ?? '', text, at: getReceivedTime(first), keys }
}

/** What a phone says of the time can be nonsense; then it is when the text came. */
function getReceivedTime(piece: ReceivedPart | undefined): number {
  const { at = 0, cameAt = 0 } = piece ?? {}
  return at > 0 && at < cameAt + 86_400_000 ? at : cameAt
}
