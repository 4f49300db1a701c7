import type { ReceivedPart } from './received-records.js'

export interface CompleteText extends Omit<ReceivedPart, 'part' | 'cameAt'> {
  /** The keys of all its parts, also of those that came again. */
  readonly keys: readonly string[]
}

interface Group {
  readonly parts: Map<number, ReceivedPart>
  readonly keys: string[]
}

const missingPart = '[…]'
const day = 86_400_000
/** Milliseconds between the network's times of two parts of one text, at most. */
const maxSpread = 15 * 60_000

/**
 * Joins the parts of received texts, which come in any order (3GPP TS 23.040 section 9.2.3.24.1).
 * Networks reuse references, so a part joins only others of about the same time.
 */
export class PartAssembler {
  readonly #groups = new Map<string, Group[]>()

  add(received: ReceivedPart): CompleteText | undefined {
    const { part, key } = received
    if (part === undefined) return joinParts([received], [key])
    const name = getGroupName(received)
    const groups = this.#groups.get(name) ?? []
    const group = groups.findLast(each => isSameText(each, received)) ?? createGroup(groups)
    this.#groups.set(name, groups)
    group.parts.set(part.number, received)
    group.keys.push(key)
    if (group.parts.size < part.count) return undefined
    this.#remove(name, group)
    return joinParts(sortParts(group), group.keys)
  }

  get hasIncomplete(): boolean {
    return this.#groups.size > 0
  }

  /** Removes and returns the incomplete received texts whose last part arrived before a time. */
  takeExpired(before: number): CompleteText[] {
    const all = [...this.#groups].flatMap(([name, groups]) =>
      groups.map(group => ({ name, group })),
    )
    return all
      .filter(({ group }) => [...group.parts.values()].every(each => each.cameAt < before))
      .map(({ name, group }) => {
        this.#remove(name, group)
        return joinIncomplete(group)
      })
  }

  #remove(name: string, group: Group): void {
    const others = (this.#groups.get(name) ?? []).filter(each => each !== group)
    if (others.length > 0) this.#groups.set(name, others)
    else this.#groups.delete(name)
  }
}

function getGroupName({ line, sim, from, port, part }: ReceivedPart): string {
  return JSON.stringify([line, sim, from, port, part?.reference, part?.count])
}

function createGroup(groups: Group[]): Group {
  const group = { parts: new Map<number, ReceivedPart>(), keys: [] }
  groups.push(group)
  return group
}

function isSameText({ parts }: Group, received: ReceivedPart): boolean {
  const same = parts.get(received.part?.number ?? 0)
  if (same !== undefined && same.text !== received.text) return false
  return [...parts.values()].some(({ at, cameAt }) =>
    at > 0 && received.at > 0
      ? Math.abs(at - received.at) <= maxSpread
      : Math.abs(cameAt - received.cameAt) <= day,
  )
}

function sortParts({ parts }: Group): ReceivedPart[] {
  return [...parts].sort(([one], [other]) => one - other).map(([, part]) => part)
}

function joinParts(parts: readonly ReceivedPart[], keys: readonly string[]): CompleteText {
  const { part: _, cameAt, ...first } = parts[0] as ReceivedPart
  const text = parts.map(each => each.text).join('')
  // Without the network's time, or if that is in the future, the time of arrival.
  const at = first.at > 0 && first.at < cameAt + day ? first.at : cameAt
  return { ...first, text, at, keys }
}

function joinIncomplete(group: Group): CompleteText {
  const parts = sortParts(group)
  const complete = joinParts(parts, group.keys)
  if (complete.isData === true) return complete
  const texts = Array.from(
    { length: parts[0]?.part?.count ?? 0 },
    (_, index) => group.parts.get(index + 1)?.text ?? missingPart,
  )
  return { ...complete, text: texts.join('') }
}
