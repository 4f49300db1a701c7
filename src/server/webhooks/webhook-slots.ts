import { Heap, type HeapItem } from '../../util/collections/heap.js'
import type { Metrics } from '../../util/collections/metrics.js'

export interface WebhookLimits {
  readonly inFlight: number
  readonly inFlightPerAccount: number
  readonly inFlightPerHost: number
}

export const defaultWebhookLimits: WebhookLimits = {
  inFlight: 512,
  inFlightPerAccount: 64,
  inFlightPerHost: 16,
}

/**
 * Slots that are given away in one turn of the event loop. Without this, many free slots at once
 * would go to one account's webhooks before another account can ask for one.
 */
const startsPerTurn = 16

interface AccountSlots extends HeapItem {
  readonly id: string
  inFlight: number
  /** Orders accounts with as many webhooks in flight: the turn of the last start. */
  turn: number
  readonly hosts: Map<string, HostSlots>
  /** Hosts with a webhook that may start, in the order of their turns. */
  readonly ready: Set<HostSlots>
}

interface HostSlots {
  readonly name: string
  inFlight: number
  readonly waiting: Set<() => void>
}

/**
 * Limits the webhooks in flight; more of them wait. A free slot goes to the account that has the
 * fewest in flight, then to its hosts in turn, then to the webhook that has waited longest.
 */
export class WebhookSlots {
  #limits: WebhookLimits
  readonly #metrics: Pick<Metrics, 'increment'>
  readonly #accounts = new Map<string, AccountSlots>()
  readonly #ready = new Heap<AccountSlots>(
    (a, b) => a.inFlight < b.inFlight || (a.inFlight === b.inFlight && a.turn < b.turn),
  )
  #inFlight = 0
  #turns = 0
  #startsThisTurn = 0
  #isClosed = false

  constructor(limits: WebhookLimits, metrics: Pick<Metrics, 'increment'>) {
    this.#limits = limits
    this.#metrics = metrics
  }

  setLimits(limits: WebhookLimits): void {
    this.#limits = limits
    for (const account of [...this.#accounts.values()]) {
      for (const host of [...account.hosts.values()]) this.#update(account, host)
    }
    this.#startWaiting()
  }

  /**
   * Waits for a slot; resolves to the function that frees it. After {@link close} it resolves at
   * once.
   */
  async acquire(accountId: string, hostName: string): Promise<() => void> {
    if (this.#isClosed) return () => {}
    const account = this.#getAccount(accountId)
    const host = getHost(account, hostName)
    this.#metrics.increment(waitingName)
    await new Promise<void>(resolve => {
      host.waiting.add(resolve)
      this.#update(account, host)
      this.#startWaiting()
    })
    this.#metrics.increment(waitingName, -1)
    if (this.#isClosed) return () => {}
    this.#metrics.increment(inFlightName)
    return () => this.#release(account, host)
  }

  close(): void {
    this.#isClosed = true
    for (const { hosts } of this.#accounts.values()) {
      for (const { waiting } of hosts.values()) for (const resolve of waiting) resolve()
    }
    this.#accounts.clear()
  }

  #getAccount(id: string): AccountSlots {
    const known = this.#accounts.get(id)
    if (known !== undefined) return known
    const account = {
      ...{ id, inFlight: 0, turn: this.#nextTurn(), place: -1 },
      hosts: new Map<string, HostSlots>(),
      ready: new Set<HostSlots>(),
    }
    this.#accounts.set(id, account)
    return account
  }

  #startWaiting(): void {
    while (this.#inFlight < this.#limits.inFlight && this.#startsThisTurn < startsPerTurn) {
      const account = this.#ready.peek()
      if (account === undefined) return
      this.#start(account)
    }
  }

  #start(account: AccountSlots): void {
    const [host] = account.ready
    const [resolve] = host?.waiting ?? []
    if (host === undefined || resolve === undefined) return
    host.waiting.delete(resolve)
    host.inFlight += 1
    account.inFlight += 1
    this.#inFlight += 1
    account.turn = this.#nextTurn()
    account.ready.delete(host)
    this.#update(account, host)
    this.#countStart()
    resolve()
  }

  #countStart(): void {
    this.#startsThisTurn += 1
    if (this.#startsThisTurn > 1) return
    setImmediate(() => {
      this.#startsThisTurn = 0
      if (!this.#isClosed) this.#startWaiting()
    })
  }

  #nextTurn(): number {
    this.#turns += 1
    return this.#turns
  }

  #release(account: AccountSlots, host: HostSlots): void {
    host.inFlight -= 1
    account.inFlight -= 1
    this.#inFlight -= 1
    this.#metrics.increment(inFlightName, -1)
    if (this.#isClosed) return
    this.#update(account, host)
    this.#startWaiting()
  }

  #update(account: AccountSlots, host: HostSlots): void {
    const { inFlightPerAccount, inFlightPerHost } = this.#limits
    if (host.waiting.size > 0 && host.inFlight < inFlightPerHost) account.ready.add(host)
    else account.ready.delete(host)
    if (host.waiting.size === 0 && host.inFlight === 0) account.hosts.delete(host.name)
    if (account.ready.size > 0 && account.inFlight < inFlightPerAccount) this.#ready.put(account)
    else this.#ready.remove(account)
    if (account.hosts.size === 0) this.#accounts.delete(account.id)
  }
}

const waitingName = 'webhook_backlog{state="waiting"}'
const inFlightName = 'webhook_backlog{state="in_flight"}'

function getHost({ hosts }: AccountSlots, name: string): HostSlots {
  const known = hosts.get(name)
  if (known !== undefined) return known
  const host = { name, inFlight: 0, waiting: new Set<() => void>() }
  hosts.set(name, host)
  return host
}
