import type { ReceivedPart } from './received-records.js'

export interface CompleteText {
  readonly key: string
  readonly from: string
  readonly to?: string
  readonly line?: string
  readonly text: string
  readonly at: number
  readonly keys: readonly string[]
}

type PartsByNumber = Map<number, ReceivedPart>

const missingPart = '[…]'
const day = 86_400_000

/**
 * Joins the parts of received texts, which come in any order (3GPP TS 23.040 section 9.2.3.24.1).
 */
export class PartAssembler {
  readonly #groups = new Map<string, PartsByNumber>()

  add(received: ReceivedPart): CompleteText | undefined {
    const { part } = received
    if (part === undefined) return joinParts([received])
    const key = getGroupKey(received)
    const parts: PartsByNumber = this.#groups.get(key) ?? new Map()
    this.#groups.set(key, parts.set(part.number, received))
    if (parts.size < part.count) return undefined
    this.#groups.delete(key)
    return joinParts(sortParts(parts))
  }

  get hasIncomplete(): boolean {
    return this.#groups.size > 0
  }

  /** Removes and returns the incomplete received texts whose last part arrived before a time. */
  takeExpired(before: number): CompleteText[] {
    const expired = [...this.#groups].filter(([, parts]) =>
      [...parts.values()].every(each => each.cameAt < before),
    )
    return expired.map(([key, byNumber]) => {
      this.#groups.delete(key)
      const parts = sortParts(byNumber)
      const count = parts[0]?.part?.count ?? 0
      const texts = Array.from(
        { length: count },
        (_, index) => byNumber.get(index + 1)?.text ?? missingPart,
      )
      return { ...joinParts(parts), text: texts.join('') }
    })
  }
}

function getGroupKey({ line, from, part }: ReceivedPart): string {
  return JSON.stringify([line, from, part?.reference, part?.count])
}

function sortParts(parts: PartsByNumber): ReceivedPart[] {
  return [...parts].sort(([one], [other]) => one - other).map(([, part]) => part)
}

function joinParts(parts: readonly ReceivedPart[]): CompleteText {
  const [first] = parts
  const keys = parts.map(each => each.key)
  const text = parts.map(each => each.text).join('')
  const { from = '', to, line } = first ?? {}
  return {
    ...{ key: keys[0] ?? '', from, text, at: getReceivedTime(first), keys },
    ...(to === undefined ? {} : { to }),
    ...(line === undefined ? {} : { line }),
  }
}

/**
 * The network's time of a received text; if it is missing or in the future, the time of arrival.
 */
function getReceivedTime(part: ReceivedPart | undefined): number {
  const { at = 0, cameAt = 0 } = part ?? {}
  return at > 0 && at < cameAt + day ? at : cameAt
}
