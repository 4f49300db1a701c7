import { type EventName, eventNames } from '../../../../domain/webhook/event.js'
import type { StoreChange } from '../../store.js'

/** A summary of an account's changes for other nodes. Fields are short: see {@link maxPayload}. */
interface AccountHint {
  readonly a: string
  m?: 1
  s?: 1
  /** Whether something else changed, such as a token. */
  o?: 1
  /** Names of the recorded events. */
  e?: EventName[]
  /** Tokens that hold leases of the changed messages. */
  h?: string[]
}

/** PostgreSQL refuses a notification of 8,000 bytes; a payload has also a number and a node. */
const maxPayload = 7500

/** Holders of one account in a hint; the NEXT of another one asks again after its wait. */
const maxHolders = 100

/** A payload without a change: hints may be missing. */
export const gapPayload = 'gap'

export class HintDraft {
  readonly #accounts = new Map<string, AccountHint>()
  #hasGap = false

  get isEmpty(): boolean {
    return this.#accounts.size === 0 && !this.#hasGap
  }

  addGap(): void {
    this.#hasGap = true
  }

  add({ account, messages, subscriptions, events, holders }: StoreChange): void {
    const hint: AccountHint = this.#accounts.get(account) ?? { a: account }
    this.#accounts.set(account, hint)
    if (messages.length > 0) hint.m = 1
    if (subscriptions.length > 0) hint.s = 1
    if (messages.length + subscriptions.length + events.length === 0) hint.o = 1
    for (const event of events) hint.e = addOnce(hint.e, event)
    for (const holder of holders) {
      if ((hint.h?.length ?? 0) < maxHolders) hint.h = addOnce(hint.h, holder)
    }
  }

  takePayloads(): string[] {
    const payloads = this.#hasGap ? [gapPayload] : []
    this.#hasGap = false
    let part: string[] = []
    let size = 0
    for (const hint of this.#accounts.values()) {
      const text = JSON.stringify(hint)
      const bytes = Buffer.byteLength(text) + 1
      if (size + bytes > maxPayload && part.length > 0) {
        payloads.push(`[${part.join()}]`)
        ;[part, size] = [[], 0]
      }
      part.push(text)
      size += bytes
    }
    if (part.length > 0) payloads.push(`[${part.join()}]`)
    this.#accounts.clear()
    return payloads
  }
}

/** Reads the payload of another node; ignores what this version of the program does not know. */
export function parseHints(payload: string): StoreChange[] {
  const hints = JSON.parse(payload) as AccountHint[]
  return hints.flatMap(({ a: account, m, s, o, e = [], h: holders = [] }) => {
    const events = e.filter(name => eventNames.includes(name))
    const nothing = { account, messages: [], holders: [], events: [], subscriptions: [] }
    const foreign = { messages: m === 1, subscriptions: s === 1 }
    const isKnown = m === 1 || s === 1 || events.length > 0
    return [
      ...(isKnown ? [{ ...nothing, events, holders, foreign }] : []),
      ...(o === 1 ? [nothing] : []),
    ]
  })
}

function addOnce<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item]
  if (!list.includes(item)) list.push(item)
  return list
}
