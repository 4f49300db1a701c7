// Limits how many parts a phone sends in a time, and spaces them evenly.
//
// Each message has a RateReservation.
// 1. The phone reserves before it fetches messages. A reservation waits until every limit has space
//    for one more part (sliding-window.ts, Spacing).
// 2. It starts when the text is known, and so the number of its parts.
// 3. It finishes with the parts that were sent; these count from then on.
//
// parts-rate.ts parses `30/min`; sent-log.ts stores what was sent, for the next run;
// open-rate-limiter.ts puts them together.

import { runWithSignal, waitForAbort } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import { PromiseQueue } from '../../util/async/promise-queue.js'
import { findSpacingRate, type PartsRate } from './parts-rate.js'
import { type SentParts, SlidingWindow } from './sliding-window.js'

export interface RateLimiterOptions {
  readonly rates: readonly PartsRate[]
  readonly clock: Clock
  readonly random: () => number
  /** Parts sent by an earlier run, oldest first, in `clock.monotonic` time. @default none */
  readonly before?: readonly SentParts[]
  readonly onSent?: (parts: number) => void
}

interface ReserveOptions {
  readonly stop: AbortSignal
  /** Gives up instead of waiting for the rate limit. @default false */
  readonly once?: boolean
  /**
   * Called before a rate-limit wait of more than a few seconds, in milliseconds, with the limit.
   */
  readonly onWait: (wait: number, limit: string) => void
}

/** Milliseconds; the rate limiter reports longer waits. */
const reportWaitsAbove = 5000

/**
 * Parts of a text, when the phone started to send them, and the factor of their spacing, 0.5 to
 * 1.5.
 */
interface StartedParts {
  readonly at: number
  readonly parts: number
  readonly jitter: number
}

interface ReservedSlot {
  /** Absent until the text is known. */
  started?: StartedParts
  readonly jitter: number
}

interface NextTime {
  readonly at: number
  readonly limit: string
}

export class RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #windows: readonly { readonly name: string; readonly window: SlidingWindow }[]
  readonly #spacing: { readonly name: string; readonly spacing: Spacing } | undefined
  readonly #slots = new Set<ReservedSlot>()
  readonly #queue = new PromiseQueue()
  #changed = new AbortController()

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#windows = options.rates.map(rate => ({
      name: rate.name,
      window: new SlidingWindow(rate),
    }))
    const spacing = findSpacingRate(options.rates)
    if (spacing !== undefined) {
      this.#spacing = { name: spacing.name, spacing: new Spacing(spacing) }
    }
    for (const { at, parts } of options.before ?? []) this.#record(at, { at, parts, jitter: 1 })
  }

  createReservation(): RateReservation {
    return new RateReservation(this)
  }

  /**
   * Reserves a slot of the rate limit; undefined after a stop, or with `once` if there would be a
   * wait.
   */
  async reserveSlot(options: ReserveOptions): Promise<ReservedSlot | undefined> {
    return await this.#queue.run(async () => await this.#waitForSlot(options))
  }

  /** Reserves a slot without a wait; undefined if the rate limit allows no text now. */
  tryReserveSlot(): ReservedSlot | undefined {
    return this.#getNextTime().at <= this.#options.clock.monotonic() ? this.addSlot() : undefined
  }

  addSlot(): ReservedSlot {
    const slot = { jitter: 0.5 + this.#options.random() }
    this.#slots.add(slot)
    return slot
  }

  startSlot(slot: ReservedSlot, parts: number): void {
    slot.started = { at: this.#options.clock.monotonic(), parts, jitter: slot.jitter }
    this.#notifyChange()
  }

  finishSlot(slot: ReservedSlot, parts: number): void {
    const { clock, onSent } = this.#options
    this.#slots.delete(slot)
    if (parts > 0) {
      const at = clock.monotonic()
      this.#record(at, { at: slot.started?.at ?? at, parts, jitter: slot.jitter })
      onSent?.(parts)
    }
    this.#notifyChange()
  }

  async #waitForSlot({ stop, once = false, onWait }: ReserveOptions) {
    const { clock } = this.#options
    for (let isReported = false; !stop.aborted; ) {
      const { at, limit } = this.#getNextTime()
      const wait = Math.ceil(at - clock.monotonic())
      // The slot is added before the next wait in the rate limiter's queue checks.
      if (wait <= 0) return this.addSlot()
      const isKnown = wait !== Number.POSITIVE_INFINITY
      const isLong = isKnown && (once || wait > reportWaitsAbove)
      if (isLong && !isReported) onWait(wait, limit)
      isReported ||= isLong
      if (once) return undefined
      await runWithSignal([stop, this.#changed.signal], async signal =>
        isKnown ? await clock.sleep(wait, signal) : await waitForAbort(signal),
      )
    }
    return undefined
  }

  /**
   * When the rate limit allows one more part; Infinity while that depends on texts that are being
   * sent.
   */
  #getNextTime(): NextTime {
    const now = this.#options.clock.monotonic()
    const slots = [...this.#slots]
    const started = slots.flatMap(each => each.started ?? [])
    const waiting = slots.length - started.length
    const parts = started.reduce((sum, each) => sum + each.parts, waiting)
    const times = this.#windows.map(({ name, window }) => ({
      at: window.getNextTime(now, parts),
      limit: name,
    }))
    if (this.#spacing !== undefined) {
      const { name, spacing } = this.#spacing
      times.push({ at: spacing.getNextTime(now, started, waiting), limit: name })
    }
    return times.reduce((last, each) => (each.at > last.at ? each : last), { at: now, limit: '' })
  }

  #record(at: number, started: StartedParts): void {
    this.#spacing?.spacing.add(started)
    for (const { window } of this.#windows) window.add({ at, parts: started.parts })
  }

  #notifyChange(): void {
    this.#changed.abort()
    this.#changed = new AbortController()
  }
}

export class RateReservation {
  readonly #limiter: RateLimiter
  #slot: ReservedSlot | undefined

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter
  }

  /** Waits until the rate limit allows a text and reserves its slot; false after a stop. */
  async reserve(options: ReserveOptions): Promise<boolean> {
    this.#slot = await this.#limiter.reserveSlot(options)
    return this.#slot !== undefined
  }

  /** Reserves a slot without a wait; false if the rate limit allows no text now. */
  tryReserve(): boolean {
    this.#slot = this.#limiter.tryReserveSlot()
    return this.#slot !== undefined
  }

  /** Starts a text of so many parts; one that is tried again gets another slot. */
  start(parts: number): void {
    this.#slot ??= this.#limiter.addSlot()
    this.#limiter.startSlot(this.#slot, parts)
  }

  /** Frees the reserved slot of the rate limit; `parts` were sent, 0 if none. */
  finish(parts: number): void {
    if (this.#slot !== undefined) this.#limiter.finishSlot(this.#slot, parts)
    this.#slot = undefined
  }
}

/**
 * Spaces SMS parts evenly over the period of a rate limit. After a pause a tenth of the limit, at
 * least one and at most ten parts, may be sent at once (generic cell rate algorithm, ITU-T I.371).
 */
class Spacing {
  readonly #space: number
  readonly #burst: number
  #due = Number.NEGATIVE_INFINITY

  constructor({ parts, period }: PartsRate) {
    this.#space = period / parts
    this.#burst = Math.min(Math.max(Math.floor(parts / 10), 1), 10)
  }

  add(parts: StartedParts): void {
    this.#due = this.#getDueAfter(this.#due, parts)
  }

  /** When the rate limit allows the next text; Infinity while others use the whole burst. */
  getNextTime(now: number, started: readonly StartedParts[], waiting: number): number {
    const spare = this.#burst - 1 - waiting
    if (spare < 0) return Number.POSITIVE_INFINITY
    const due = started.reduce((at, each) => this.#getDueAfter(at, each), this.#due)
    return Math.max(due - spare * this.#space, now)
  }

  #getDueAfter(due: number, { at, parts, jitter }: StartedParts): number {
    return Math.max(due, at) + parts * this.#space * jitter
  }
}
