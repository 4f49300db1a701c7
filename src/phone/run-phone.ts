// A phone: its workers, and the tasks that run until the last worker ends.
//
// 1. `runPhone` starts `concurrency` workers (dispatch/worker-loop.ts), each with a client and a
//    journal of its own. Workers beyond that only report what an earlier run left.
// 2. Meanwhile it runs the watches of the driver (dispatch/driver-status.ts), forwards received
//    texts (received/received-forwarder.ts) and reports presence (relay/presence.ts).
// 3. If a worker fails, the others are stopped; the first error is thrown when all have ended.
//
// Drivers are in drivers/, made by driver-set.ts; the interface between both is driver-port/.

import { type Clock, createClock } from '../util/async/clock.js'
import { DriverStatus, runWatch } from './dispatch/driver-status.js'
import { runWorker, type WorkerOptions } from './dispatch/worker-loop.js'
import { mergeEvents, type PhoneEvent, type PhoneResult } from './events/phone-events.js'
import { createMemoryJournal, type Journal } from './journal/journal.js'
import type { RateReservation } from './rate-limit/rate-limiter.js'
import { forwardReceived } from './received/received-forwarder.js'
import { ReceivedInbox, type ReceivedStore } from './received/received-inbox.js'
import type { PhoneClient } from './relay/phone-client.js'
import { PresenceTracker, runPresenceReporter } from './relay/presence.js'

/** The journals of a phone's workers, counted from 0. */
interface PhoneJournals {
  worker(worker: number): Journal
  workersWithUnreported(): readonly number[]
  /** Store of the phone's received texts. @default memory */
  readonly received?: ReceivedStore
}

export interface RunPhoneOptions
  extends Omit<
    WorkerOptions,
    'client' | 'journal' | 'drain' | 'reservation' | 'driverStatus' | 'presence'
  > {
  readonly createClient: (worker: number) => Promise<PhoneClient>
  /** The number of the phone's workers; each has one message in progress. @default 1 */
  readonly concurrency?: number
  /** Limits all workers of the phone together. @default no limit */
  readonly rateLimiter?: { createReservation(): RateReservation } | undefined
  /** @default memory */
  readonly journals?: PhoneJournals
  /**
   * Whether the phone reports received texts to the relay, or only emits them as events.
   * @default true
   */
  readonly forward?: boolean
}

function createMemoryJournals(): PhoneJournals {
  const journal = createMemoryJournal()
  return { worker: () => journal, workersWithUnreported: () => [] }
}

/** Runs the workers of a phone until all have ended. Throws as {@link runWorker} does. */
export async function runPhone(options: RunPhoneOptions): Promise<PhoneResult> {
  const { createClient, clock = createClock(), stop } = options
  const stopped = new AbortController()
  const stopWorkers = () => stopped.abort()
  stop?.addEventListener('abort', stopWorkers, { once: true })
  if (stop?.aborted === true) stopWorkers()
  const ended = new AbortController()
  const inbox = createInbox(options, clock)
  options.driver.listen?.(inbox)
  const phone = {
    options,
    clock,
    inbox,
    client: await createClient(0),
    driverStatus: new DriverStatus(),
    presence: new PresenceTracker(clock),
    emit: mergeEvents(options.concurrency ?? 1, options.onEvent ?? (() => {})),
  }
  const sideTasks = runSideTasks(phone, ended.signal)
  try {
    const results = await waitForAll(startWorkers(phone, stopped.signal), stopWorkers)
    return sumResults(results, phone.driverStatus)
  } finally {
    ended.abort()
    await sideTasks
    stop?.removeEventListener('abort', stopWorkers)
  }
}

interface Phone {
  readonly options: RunPhoneOptions
  readonly clock: Clock
  readonly inbox: ReceivedInbox
  /** Of the first worker. */
  readonly client: PhoneClient
  readonly driverStatus: DriverStatus
  readonly presence: PresenceTracker
  readonly emit: (source: number, event: PhoneEvent) => void
}

function createInbox(options: RunPhoneOptions, clock: Clock): ReceivedInbox {
  const { journals, forward = true, onEvent = () => {} } = options
  const store = journals?.received
  return new ReceivedInbox({ onEvent, forward, clock, ...(store === undefined ? {} : { store }) })
}

function startWorkers(phone: Phone, stop: AbortSignal): readonly Promise<PhoneResult>[] {
  const { options, clock, client, driverStatus, presence, emit } = phone
  const { journals = createMemoryJournals(), concurrency = 1, createClient, rateLimiter } = options
  const run = async (worker: number): Promise<PhoneResult> => {
    const reservation = rateLimiter?.createReservation()
    return await runWorker({
      ...options,
      client: worker === 0 ? client : await createClient(worker),
      clock,
      driverStatus,
      presence,
      journal: journals.worker(worker),
      drain: worker >= concurrency,
      ...(reservation === undefined ? {} : { reservation }),
      stop,
      onEvent: event => emit(worker, event),
    })
  }
  const working = Array.from({ length: concurrency }, (_, worker) => worker)
  const draining = journals.workersWithUnreported().filter(worker => worker >= concurrency)
  return [...working, ...draining].map(run)
}

/** Runs the phone's side tasks until stopped. The sources of their events have negative numbers. */
async function runSideTasks(phone: Phone, stop: AbortSignal): Promise<void> {
  const { options, clock, inbox, client, driverStatus, presence, emit } = phone
  const { driver, quiet, once = false, random = Math.random } = options
  const { force = new AbortController().signal } = options
  const watches = (driver.watches ?? []).map(async (watch, index) => {
    const onEvent = (event: PhoneEvent) => emit(-2 - index, event)
    await runWatch(watch, { driverStatus, clock, random, stop, onEvent })
  })
  const onEvent = (event: PhoneEvent) => emit(-1, event)
  await Promise.all([
    ...watches,
    forwardReceived({ inbox, client, clock, random, stop, force, onEvent }),
    ...(once ? [] : [runPresenceReporter({ presence, client, quiet, clock, stop })]),
  ])
}

/**
 * Waits for all workers; if one fails, stops the others and throws its error when they have ended.
 */
async function waitForAll<T>(runs: readonly Promise<T>[], stop: () => void): Promise<T[]> {
  const errors: unknown[] = []
  const watched = runs.map(run =>
    run.catch(error => {
      errors.push(error)
      stop()
    }),
  )
  await Promise.all(watched)
  if (errors.length > 0) throw errors[0]
  return await Promise.all(runs)
}

function sumResults(results: readonly PhoneResult[], driverStatus: DriverStatus): PhoneResult {
  const sum = (name: 'handled' | 'sent' | 'failed' | 'unknown' | 'unreported'): number =>
    results.reduce((all, result) => all + result[name], 0)
  const troubles = [...results.map(result => result.trouble), driverStatus.trouble]
  const trouble = troubles.find(each => each !== undefined)
  return {
    handled: sum('handled'),
    sent: sum('sent'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    unreported: sum('unreported'),
    ...(trouble === undefined ? {} : { trouble }),
  }
}
