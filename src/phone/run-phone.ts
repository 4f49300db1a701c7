import { type Pause, pause as realPause } from '../util/async/clock.js'
import { DriverStatus } from './dispatch/driver-status.js'
import { runWatch } from './dispatch/driver-watcher.js'
import { runWorker, type WorkerOptions } from './dispatch/worker-loop.js'
import { mergeEvents } from './events/merge-events.js'
import type { PhoneEvent, PhoneResult } from './events/phone-events.js'
import { createMemoryJournal, type Journal } from './journal/journal.js'
import type { RateReservation } from './rate-limit/rate-reservation.js'
import { forwardReceived } from './received/received-forwarder.js'
import { ReceivedInbox, type ReceivedStore } from './received/received-inbox.js'
import type { PhoneClient } from './relay/phone-client.js'
import { PresenceTracker } from './relay/presence.js'
import { runPresenceReporter } from './relay/presence-reporter.js'

/** The journals of the loops of one phone, by the number of the loop. */
export interface PhoneJournals {
  worker(worker: number): Journal
  /** The loops of which an earlier run left something to report. */
  workersWithUnreported(): readonly number[]
  /** Where texts that come in are kept. @default memory */
  readonly received?: ReceivedStore
}

/** What {@link runPhones} works with. */
export interface RunPhoneOptions
  extends Omit<
    WorkerOptions,
    'client' | 'journal' | 'drain' | 'reservation' | 'driverStatus' | 'presence'
  > {
  /** Makes the client of a loop, with a token of its own. */
  readonly createClient: (worker: number) => Promise<PhoneClient>
  /** Loops, and so messages in hand at a time. @default 1 */
  readonly concurrency?: number
  /** What limits all loops together. @default no limit */
  readonly rateLimiter?: { createReservation(): RateReservation } | undefined
  /** @default memory */
  readonly journals?: PhoneJournals
  /** Whether texts that come in are reported to the relay, or only shown. @default true */
  readonly forward?: boolean
}

/** {@link Journals} that a crash forgets. */
export function createMemoryJournals(): PhoneJournals {
  const journal = createMemoryJournal()
  return { worker: () => journal, workersWithUnreported: () => [] }
}

/**
 * Runs loops side by side as one phone: each has a message in hand at a time, and all stop when one of them cannot
 * go on. Throws what {@link runPhone} throws.
 */
export async function runPhone({
  createClient,
  concurrency = 1,
  journals = createMemoryJournals(),
  onEvent = () => {},
  rateLimiter: pace,
  forward: forwards = true,
  ...shared
}: RunPhoneOptions): Promise<PhoneResult> {
  const ended = new AbortController()
  const stop = () => ended.abort()
  shared.stop?.addEventListener('abort', stop, { once: true })
  if (shared.stop?.aborted === true) stop()
  const working = Array.from({ length: concurrency }, (_, worker) => worker)
  const drained = journals.workersWithUnreported().filter(worker => worker >= concurrency)
  const workers = [...working, ...drained]
  const emit = mergeEvents(concurrency, onEvent)
  const { time = Date.now, pause = realPause, random = Math.random, driver } = shared
  const { now = () => performance.now() } = shared
  const store = journals.received === undefined ? {} : { store: journals.received }
  const intake = new ReceivedInbox({ onEvent, forward: forwards, time, ...store })
  driver.listen?.(intake)
  const client = await createClient(0)
  const line = new DriverStatus()
  const presence = new PresenceTracker(now)
  const run = async (worker: number): Promise<PhoneResult> =>
    await runWorker({
      ...{ ...shared, driverStatus: line, presence },
      client: worker === 0 ? client : await createClient(worker),
      journal: journals.worker(worker),
      drain: worker >= concurrency,
      ...(pace === undefined ? {} : { reservation: pace.createReservation() }),
      stop: ended.signal,
      onEvent: event => emit(worker, event),
    })
  const over = new AbortController()
  const { force = new AbortController().signal } = shared
  const beside = runSideTasks(
    { ...shared, force, intake, client, line, presence, emit, pause, random, time, now },
    over.signal,
  )
  try {
    return sumResults(await awaitAllOrStop(workers.map(run), stop), line)
  } finally {
    over.abort()
    await beside
    shared.stop?.removeEventListener('abort', stop)
  }
}

interface SideTaskOptions extends Pick<WorkerOptions, 'driver' | 'once' | 'quiet'> {
  readonly force: AbortSignal
  readonly intake: ReceivedInbox
  readonly client: PhoneClient
  readonly line: DriverStatus
  readonly presence: PresenceTracker
  readonly time: () => number
  readonly now: () => number
  readonly emit: (worker: number, event: PhoneEvent) => void
  readonly pause: Pause
  readonly random: () => number
}

/** What is done beside the loops until stopped; where loops are told apart it goes by numbers below 0. */
async function runSideTasks(
  { driver, emit, intake, client, line, presence, quiet, once, force, ...clock }: SideTaskOptions,
  stop: AbortSignal,
): Promise<void> {
  const onEvent = (event: PhoneEvent) => emit(-1, event)
  const watching = (driver.watches ?? []).map(async (watch, at) => {
    await runWatch(watch, { ...clock, line, stop, onEvent: event => emit(-2 - at, event) })
  })
  const present = once === true ? undefined : { ...clock, presence, client, quiet, stop }
  await Promise.all([
    ...watching,
    forwardReceived({ ...clock, intake, client, stop, force, onEvent }),
    ...(present === undefined ? [] : [runPresenceReporter(present)]),
  ])
}

/** Waits for all; the first that fails has the others stopped, and is thrown when they have ended. */
async function awaitAllOrStop<T>(runs: readonly Promise<T>[], stop: () => void): Promise<T[]> {
  const failures: unknown[] = []
  const watched = runs.map(run =>
    run.catch(error => {
      failures.push(error)
      stop()
    }),
  )
  await Promise.all(watched)
  if (failures.length > 0) throw failures[0]
  return await Promise.all(runs)
}

function sumResults(results: readonly PhoneResult[], line: DriverStatus): PhoneResult {
  const sum = (name: 'handled' | 'sent' | 'failed' | 'unknown' | 'unreported'): number =>
    results.reduce((all, result) => all + result[name], 0)
  const troubles = [...results.map(result => result.trouble), line.trouble]
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
