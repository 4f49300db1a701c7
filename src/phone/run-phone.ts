import { type Pause, pause as realPause } from '../util/async/clock.js'
import { Line } from './dispatch/driver-status.js'
import { keepWatch } from './dispatch/driver-watcher.js'
import type { PhoneClient } from './dispatch/worker-context.js'
import { type PhoneOptions, runPhone } from './dispatch/worker-loop.js'
import { mergeEvents } from './events/merge-events.js'
import type { PhoneEvent, PhoneResult } from './events/phone-events.js'
import { type Journal, memoryJournal } from './journal/journal.js'
import type { Turn } from './rate-limit/rate-reservation.js'
import { forward } from './received/received-forwarder.js'
import { Intake, type ReceivedStore } from './received/received-inbox.js'
import { Presence } from './relay/presence.js'
import { keepPresence } from './relay/presence-reporter.js'

/** The journals of the loops of one phone, by the number of the loop. */
export interface Journals {
  worker(worker: number): Journal
  /** The loops of which an earlier run left something to report. */
  left(): readonly number[]
  /** Where texts that come in are kept. @default memory */
  readonly received?: ReceivedStore
}

/** What {@link runPhones} works with. */
export interface PhonesOptions
  extends Omit<PhoneOptions, 'client' | 'journal' | 'drain' | 'turn' | 'line' | 'presence'> {
  /** Makes the client of a loop, with a token of its own. */
  readonly createClient: (worker: number) => Promise<PhoneClient>
  /** Loops, and so messages in hand at a time. @default 1 */
  readonly concurrency?: number
  /** What limits all loops together. @default no limit */
  readonly pace?: { turn(): Turn } | undefined
  /** @default memory */
  readonly journals?: Journals
  /** Whether texts that come in are reported to the relay, or only shown. @default true */
  readonly forward?: boolean
}

/** {@link Journals} that a crash forgets. */
export function memoryJournals(): Journals {
  const journal = memoryJournal()
  return { worker: () => journal, left: () => [] }
}

/**
 * Runs loops side by side as one phone: each has a message in hand at a time, and all stop when one of them cannot
 * go on. Throws what {@link runPhone} throws.
 */
export async function runPhones({
  createClient,
  concurrency = 1,
  journals = memoryJournals(),
  onEvent = () => {},
  pace,
  forward: forwards = true,
  ...shared
}: PhonesOptions): Promise<PhoneResult> {
  const ended = new AbortController()
  const stop = () => ended.abort()
  shared.stop?.addEventListener('abort', stop, { once: true })
  if (shared.stop?.aborted === true) stop()
  const working = Array.from({ length: concurrency }, (_, worker) => worker)
  const drained = journals.left().filter(worker => worker >= concurrency)
  const workers = [...working, ...drained]
  const emit = mergeEvents(concurrency, onEvent)
  const { time = Date.now, pause = realPause, random = Math.random, driver } = shared
  const { now = () => performance.now() } = shared
  const store = journals.received === undefined ? {} : { store: journals.received }
  const intake = new Intake({ onEvent, forward: forwards, time, ...store })
  driver.listen?.(intake)
  const client = await createClient(0)
  const line = new Line()
  const presence = new Presence(now)
  const run = async (worker: number): Promise<PhoneResult> =>
    await runPhone({
      ...{ ...shared, line, presence },
      client: worker === 0 ? client : await createClient(worker),
      journal: journals.worker(worker),
      drain: worker >= concurrency,
      ...(pace === undefined ? {} : { turn: pace.turn() }),
      stop: ended.signal,
      onEvent: event => emit(worker, event),
    })
  const over = new AbortController()
  const { force = new AbortController().signal } = shared
  const beside = besideLoops(
    { ...shared, force, intake, client, line, presence, emit, pause, random, time, now },
    over.signal,
  )
  try {
    return total(await allOrNone(workers.map(run), stop), line)
  } finally {
    over.abort()
    await beside
    shared.stop?.removeEventListener('abort', stop)
  }
}

interface Beside extends Pick<PhoneOptions, 'driver' | 'once' | 'quiet'> {
  readonly force: AbortSignal
  readonly intake: Intake
  readonly client: PhoneClient
  readonly line: Line
  readonly presence: Presence
  readonly time: () => number
  readonly now: () => number
  readonly emit: (worker: number, event: PhoneEvent) => void
  readonly pause: Pause
  readonly random: () => number
}

/** What is done beside the loops until stopped; where loops are told apart it goes by numbers below 0. */
async function besideLoops(
  { driver, emit, intake, client, line, presence, quiet, once, force, ...clock }: Beside,
  stop: AbortSignal,
): Promise<void> {
  const onEvent = (event: PhoneEvent) => emit(-1, event)
  const watching = (driver.watches ?? []).map(async (watch, at) => {
    await keepWatch(watch, { ...clock, line, stop, onEvent: event => emit(-2 - at, event) })
  })
  const present = once === true ? undefined : { ...clock, presence, client, quiet, stop }
  await Promise.all([
    ...watching,
    forward({ ...clock, intake, client, stop, force, onEvent }),
    ...(present === undefined ? [] : [keepPresence(present)]),
  ])
}

/** Waits for all; the first that fails has the others stopped, and is thrown when they have ended. */
async function allOrNone<T>(runs: readonly Promise<T>[], stop: () => void): Promise<T[]> {
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

function total(results: readonly PhoneResult[], line: Line): PhoneResult {
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
