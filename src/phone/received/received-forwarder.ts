import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { errorText, isRelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { PhoneClient } from '../relay/phone-client.js'
import { classifyRelayError, getRequestedWait } from '../relay/relay-error.js'
import type { CompleteText } from './part-assembler.js'
import type { ReceivedInbox } from './received-inbox.js'

/** What {@link forward} works with. */
export interface ReceivedForwarderOptions {
  readonly intake: ReceivedInbox
  readonly client: Pick<PhoneClient, 'receivedTexts'>
  readonly onEvent: (event: PhoneEvent) => void
  /** When aborted, what is there is reported within a few seconds, or kept for the next run. */
  readonly stop: AbortSignal
  /** When aborted, not even that. */
  readonly force: AbortSignal
  readonly pause: Pause
  readonly random: () => number
}

type ForwardResult = 'taken' | 'refused' | 'later' | 'unknown' | 'fatal'

const graceAfterStop = 3000
/** Milliseconds between two looks at the parts of texts. */
const partsCheckInterval = 600_000

/**
 * Reports texts that came in to the relay, one after the other and each until it is taken, until stopped. A relay that
 * does not know such reports is told of once, and the texts are let go; they were shown.
 */
export async function forwardReceived(options: ReceivedForwarderOptions): Promise<void> {
  const { stop, force, pause } = options
  await runWithGrace(stop, graceAfterStop, pause, late =>
    runWithSignal([late, force], end => forwardUntilAborted(end, options)),
  )
}

/** Texts may come in faster than they are reported, so that there always is another one. */
async function forwardUntilAborted(
  end: AbortSignal,
  options: ReceivedForwarderOptions,
): Promise<void> {
  const { intake, onEvent, stop } = options
  const relay = new FailureBackoff(options)
  let known = true
  while (!end.aborted) {
    const text = intake.getNext()
    if (text === undefined) {
      if (stop.aborted) return
      await waitForText(options)
      continue
    }
    const done: ForwardResult = known ? await reportText(text, end, options, relay) : 'unknown'
    if (done === 'fatal' || (done === 'later' && stop.aborted)) return
    if (done === 'unknown' && known) {
      known = false
      onEvent({ event: 'unforwarded', from: text.from, error: unsupportedRelay })
    }
    if (done !== 'later') await intake.remove(text)
  }
}

/** Waits for another text, or until it is time to look whether the rest of one is waited for in vain. */
async function waitForText({ intake, pause, stop }: ReceivedForwarderOptions): Promise<void> {
  const done = new AbortController()
  await runWithSignal([stop], async signal => {
    const end = () => done.abort()
    signal.addEventListener('abort', end, { once: true })
    if (intake.hasIncomplete) void pause(partsCheckInterval, done.signal).then(end)
    await intake.waitForChange(done.signal)
    end()
  })
}

const unsupportedRelay =
  'This relay takes no texts that come in: they are shown here and nowhere else. A newer smsrelay does.'

async function reportText(
  text: CompleteText,
  end: AbortSignal,
  options: ReceivedForwarderOptions,
  relay: FailureBackoff,
): Promise<ForwardResult> {
  const { onEvent, stop } = options
  const { from } = text
  try {
    const { id, word } = await sendReport(text, end, options)
    if (relay.recordSuccess()) onEvent({ event: 'online' })
    onEvent({ event: 'forwarded', received: id, from, ...(word === null ? {} : { word }) })
    return 'taken'
  } catch (error) {
    if (isUnsupported(error)) return 'unknown'
    const whose = classifyRelayError(error)
    if (whose === 'refused') onEvent({ event: 'unforwarded', from, error: errorText(error) })
    if (whose !== 'temporary') return whose
    if (relay.recordFailure()) onEvent({ event: 'offline', error: errorText(error) })
    await relay.wait(stop, getRequestedWait(error))
    return 'later'
  }
}

async function sendReport(
  { key, from, text, at }: CompleteText,
  signal: AbortSignal,
  { client }: ReceivedForwarderOptions,
) {
  const sender = from.slice(0, limits.sender) || 'unknown'
  const fields = { from: sender, message: text, received_on: formatDateTime(at) }
  return await client.receivedTexts.report(fields, { idempotencyKey: key, signal })
}

function isUnsupported(error: unknown): boolean {
  const codes = ['method_not_allowed', 'not_found', 'not_a_message'] as const
  return codes.some(code => isRelayError(error, code))
}
