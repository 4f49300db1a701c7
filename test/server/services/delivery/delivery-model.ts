import { expect } from 'vitest'
import type { DeliveryMode } from '../../../../src/domain/account/account.js'
import { listAttempts, noReportError } from '../../../../src/domain/message/attempts.js'
import {
  type Message,
  maxAttempts,
  retryStep,
  type Status,
} from '../../../../src/domain/message/message.js'
import { lease } from '../world.js'

/** What is promised about a message; times in milliseconds since the epoch. */
export interface ModelMessage {
  readonly id: string
  number: string
  sendAt: number
  retryAt: number
  failures: number
  state: 'waiting' | 'locked' | 'deleted' | 'sent' | 'failed' | 'blocked' | 'removed'
  /** Whether a user locked it, not the relay. */
  isUserLocked: boolean
  /** Whether it confirms an opt-out, and is sent although its number is listed. */
  isConfirmation: boolean
  /** Before it was deleted. */
  wasLocked: boolean
  /** The phone that got it and has not settled that yet. */
  handOut: HandOut | undefined
  /** When leases ended without a report. */
  readonly unreported: number[]
}

interface HandOut {
  readonly holder: string
  readonly until: number
  /** Whether the phone received it in a batch, and nobody changed it since. */
  readonly isKnown?: boolean
}

const letters: Readonly<Record<ModelMessage['state'], readonly (Status | undefined)[]>> = {
  waiting: ['N', 'E'],
  locked: ['L'],
  deleted: ['D'],
  sent: ['S'],
  failed: ['F'],
  blocked: ['B'],
  removed: [undefined],
}

/** Who may get which message when, in the simplest form. */
export class DeliveryModel {
  readonly mode: DeliveryMode
  readonly messages: ModelMessage[] = []
  /** By scope, a space and the number: whether a keyword added it. */
  readonly listed = new Map<string, boolean>()
  #now: number

  constructor(mode: DeliveryMode, now: number) {
    this.mode = mode
    this.#now = now
  }

  get now(): number {
    return this.#now
  }

  set now(now: number) {
    expect(now).toBeGreaterThanOrEqual(this.#now)
    this.#now = now
  }

  /** Whether a phone must get the message now if it asks until it gets nothing more. */
  isAvailable(message: ModelMessage, holder: string): boolean {
    const { state, sendAt, retryAt, handOut } = message
    if (state !== 'waiting' || this.isStopped(message)) return false
    if (this.now < sendAt || this.now < retryAt) return false
    if (handOut === undefined) return true
    return this.now < handOut.until ? handOut.holder === holder : this.mode === 'at-least-once'
  }

  isListed(number: string): boolean {
    return [...this.listed.keys()].some(entry => entry.endsWith(` ${number}`))
  }

  isStopped({ number, isConfirmation }: ModelMessage): boolean {
    return !isConfirmation && this.isListed(number)
  }

  create(id: string, number: string, sendAt: number, isConfirmation: boolean): void {
    const flags = { isConfirmation, isUserLocked: false, wasLocked: false }
    const fresh = { retryAt: 0, failures: 0, handOut: undefined, unreported: [] }
    this.messages.push({ id, number, sendAt, state: 'waiting', ...flags, ...fresh })
  }

  /** Checks the result of a NEXT. */
  handOut(id: string | undefined, holder: string): void {
    const available = this.messages.filter(message => this.isAvailable(message, holder))
    if (id === undefined) {
      expect(available).toEqual([])
      return
    }
    expect(available.map(message => message.id)).toContain(id)
    const message = this.get(id)
    this.#addUnreported(message)
    message.handOut = { holder, until: this.now + lease }
  }

  /** The lease of a message that ends now had no report, if it is over. */
  #addUnreported({ handOut, unreported }: ModelMessage): void {
    if (handOut !== undefined && handOut.until <= this.now) unreported.push(handOut.until)
  }

  /** Checks the result of a NEXT with a batch; `isLost` if the phone does not get it. */
  handOutBatch(ids: readonly string[], holder: string, count: number, isLost: boolean): void {
    const isOwed = (message: ModelMessage): boolean =>
      this.isAvailable(message, holder) && !this.#isKnown(message, holder)
    const owed = this.messages.filter(isOwed)
    expect(owed.map(each => each.id)).toEqual(expect.arrayContaining([...ids]))
    expect([new Set(ids).size, ids.length]).toEqual([ids.length, Math.min(count, owed.length)])
    const given = ids.map(id => this.get(id))
    const isHeld = ({ handOut }: ModelMessage): boolean =>
      handOut?.holder === holder && handOut.until > this.now
    const held = owed.filter(isHeld).length
    expect(given.map(isHeld)).toEqual(given.map((_, at) => at < held))
    const due = given.slice(held).map(getAvailableTime)
    expect(due).toEqual(due.toSorted((a, b) => a - b))
    for (const message of given) {
      this.#addUnreported(message)
      message.handOut = { holder, until: this.now + lease, isKnown: !isLost }
    }
  }

  /** Whether the phone must be able to renew its lease. */
  canRenew({ state, handOut }: ModelMessage, holder: string): boolean {
    if (handOut?.holder !== holder || !['waiting', 'locked'].includes(state)) return false
    return handOut.until > this.now || this.mode === 'at-least-once'
  }

  /** A phone no longer knows the messages that it has, or a user changed one of them. */
  forget(messages: readonly ModelMessage[], holder?: string): void {
    for (const message of messages) {
      const { handOut } = message
      if (handOut === undefined || (holder ?? handOut.holder) !== handOut.holder) continue
      message.handOut = { ...handOut, isKnown: false }
    }
  }

  #isKnown({ handOut }: ModelMessage, holder: string): boolean {
    const isHeld = handOut?.holder === holder && handOut.until > this.now
    return isHeld && handOut.isKnown === true
  }

  get(id: string): ModelMessage {
    const found = this.messages.find(message => message.id === id)
    if (found === undefined) throw new Error(`There is no message ${id}.`)
    return found
  }

  unlock(message: ModelMessage): void {
    message.state = 'waiting'
    const hasEnded = message.handOut !== undefined && message.handOut.until <= this.now
    this.#addUnreported(message)
    // A person has decided to send it, whatever the phone did.
    if (hasEnded) message.handOut = undefined
  }

  undelete(message: ModelMessage): void {
    const isUncertain = this.mode === 'at-most-once' && message.handOut !== undefined
    message.state = message.wasLocked || isUncertain ? 'locked' : 'waiting'
    if (!message.wasLocked) message.isUserLocked = true
  }

  /** A failure report that was accepted. */
  fail(message: ModelMessage, holder: string, outcome: 'failed' | 'unknown'): void {
    const { handOut } = message
    if (outcome === 'unknown' && this.mode === 'at-most-once') {
      message.state = 'locked'
      message.isUserLocked = false
      if (handOut !== undefined) message.handOut = { ...handOut, until: this.now }
      return
    }
    const isHolder = handOut?.holder === holder
    const staysLocked = message.state === 'locked' && isHolder && message.isUserLocked
    message.failures += 1
    message.retryAt = this.now + message.failures * retryStep
    if (isHolder) message.handOut = undefined
    if (message.failures === maxAttempts) message.state = 'failed'
    else if (!staysLocked) message.state = 'waiting'
  }

  /** Whether the relay must accept a phone's report. */
  mustAccept({ state, handOut }: ModelMessage, holder: string): boolean {
    return state === 'waiting' || (state === 'locked' && handOut?.holder === holder)
  }

  /**
   * Compares the relay's status with the model's, after the relay blocked or locked a message by
   * itself: only a message to a listed number, and one whose phone never settled it. Then compares
   * the leases without a report.
   */
  compare(message: ModelMessage, found: Message | undefined): void {
    const { state, handOut } = message
    const status = found?.status
    if (state === 'waiting' && status === 'B' && this.isStopped(message)) this.block(message)
    const isUnsettled = handOut !== undefined && handOut.until <= this.now
    if (state === 'waiting' && status === 'L' && this.mode === 'at-most-once' && isUnsettled) {
      message.state = 'locked'
      message.isUserLocked = false
    }
    expect([message.id, letters[message.state]]).toEqual([
      message.id,
      expect.arrayContaining([status]),
    ])
    if (found !== undefined && this.mode === 'at-least-once') compareUnreported(message, found)
  }

  block(message: ModelMessage): void {
    message.state = 'blocked'
    this.#addUnreported(message)
    message.handOut = undefined
  }
}

/** A message stores its last ten attempts that did not send it. */
function compareUnreported({ unreported }: ModelMessage, found: Message): void {
  const attempts = listAttempts(found)
  const ended = attempts.filter(({ error }) => error === noReportError).map(({ at }) => at)
  expect(ended).toEqual(attempts.length < 10 ? unreported : unreported.slice(-ended.length))
}

function getAvailableTime({ sendAt, retryAt, handOut }: ModelMessage): number {
  return Math.max(sendAt, retryAt, handOut?.until ?? 0)
}
