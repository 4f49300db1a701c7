import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { isRelayError } from '../../errors.js'
import { withGrace, withSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import { Outage } from '../../util/async/failure-backoff.js'
import type { PhoneClient } from '../dispatch/worker-context.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { requestedWait, sentence, verdict } from '../relay/relay-error.js'
import type { WholeText } from './part-assembler.js'
import type { Intake } from './received-inbox.js'

/** What {@link forward} works with. */
export interface ForwardOptions {
  readonly intake: Intake
  readonly client: Pick<PhoneClient, 'reportReceived'>
  readonly onEvent: (event: PhoneEvent) => void
  /** When aborted, what is there is reported within a few seconds, or kept for the next run. */
  readonly stop: AbortSignal
  /** When aborted, not even that. */
  readonly force: AbortSignal
  readonly pause: Pause
  readonly random: () => number
}

type Forwarded = 'taken' | 'refused' | 'later' | 'unknown' | 'fatal'

const graceAfterStop = 3000
/** Milliseconds between two looks at the parts of texts. */
const looksEvery = 600_000

/**
 * Reports texts that came in to the relay, one after the other and each until it is taken, until stopped. A relay that
 * does not know such reports is told of once, and the texts are let go; they were shown.
 */
export async function forward(options: ForwardOptions): Promise<void> {
  const { stop, force, pause } = options
  await withGrace(stop, graceAfterStop, pause, late =>
    withSignal([late, force], end => forwardUntil(end, options)),
  )
}

/** Texts may come in faster than they are reported, so that there always is another one. */
async function forwardUntil(end: AbortSignal, options: ForwardOptions): Promise<void> {
  const { intake, onEvent, stop } = options
  const relay = new Outage(options)
  let known = true
  while (!end.aborted) {
    const text = intake.next()
    if (text === undefined) {
      if (stop.aborted) return
      await another(options)
      continue
    }
    const done: Forwarded = known ? await report(text, end, options, relay) : 'unknown'
    if (done === 'fatal' || (done === 'later' && stop.aborted)) return
    if (done === 'unknown' && known) {
      known = false
      onEvent({ event: 'unforwarded', from: text.from, error: oldRelay })
    }
    if (done !== 'later') await intake.gone(text)
  }
}

/** Waits for another text, or until it is time to look whether the rest of one is waited for in vain. */
async function another({ intake, pause, stop }: ForwardOptions): Promise<void> {
  const done = new AbortController()
  await withSignal([stop], async signal => {
    const end = () => done.abort()
    signal.addEventListener('abort', end, { once: true })
    if (intake.hasParts) void pause(looksEvery, done.signal).then(end)
    await intake.changed(done.signal)
    end()
  })
}

const oldRelay =
  'This relay takes no texts that come in: they are shown here and nowhere else. A newer smsrelay does.'

async function report(
  text: WholeText,
  end: AbortSignal,
  options: ForwardOptions,
  relay: Outage,
): Promise<Forwarded> {
  const { onEvent, stop } = options
  const { from } = text
  try {
    const { id, word } = await once(text, end, options)
    if (relay.end()) onEvent({ event: 'online' })
    onEvent({ event: 'forwarded', received: id, from, ...(word === null ? {} : { word }) })
    return 'taken'
  } catch (error) {
    if (isUnknown(error)) return 'unknown'
    const whose = verdict(error)
    if (whose === 'refused') onEvent({ event: 'unforwarded', from, error: sentence(error) })
    if (whose !== 'temporary') return whose
    if (relay.begin()) onEvent({ event: 'offline', error: sentence(error) })
    await relay.wait(stop, requestedWait(error))
    return 'later'
  }
}

async function once(
  { key, from, text, at }: WholeText,
  signal: AbortSignal,
  { client }: ForwardOptions,
) {
  const sender = from.slice(0, limits.sender) || 'unknown'
  const fields = { from: sender, message: text, received_on: formatDateTime(at) }
  return await client.reportReceived(fields, { idempotencyKey: key, signal })
}

function isUnknown(error: unknown): boolean {
  const codes = ['method_not_allowed', 'not_found', 'not_a_message'] as const
  return codes.some(code => isRelayError(error, code))
}
