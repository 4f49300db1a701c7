import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { errorText } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { Mms } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { PhoneClient } from '../relay/phone-client.js'
import { classifyForwardError, getRequestedWait } from '../relay/relay-error.js'
import type { CompleteText } from './part-assembler.js'
import type { ReceivedInbox } from './received-inbox.js'

interface ReceivedForwarderOptions {
  readonly inbox: ReceivedInbox
  readonly driverName: string
  readonly client: Pick<PhoneClient, 'receivedTexts'>
  readonly onEvent: (event: PhoneEvent) => void
  /**
   * When aborted, the rest of the received texts is reported within three seconds or stays stored
   * for the next run.
   */
  readonly stop: AbortSignal
  /** When aborted, the rest of the received texts stays stored. */
  readonly force: AbortSignal
  readonly clock: Clock
  readonly random: () => number
}

type ForwardResult = 'accepted' | 'refused' | 'temporary' | 'fatal'

/** Milliseconds. */
const graceAfterStop = 3000
const partsCheckInterval = 600_000

/**
 * Reports received texts from the phone to the relay in order, each until it is accepted, until
 * stopped.
 */
export async function forwardReceived(options: ReceivedForwarderOptions): Promise<void> {
  const { stop, force, clock } = options
  await runWithGrace(stop, graceAfterStop, clock.sleep, deadline =>
    runWithSignal([deadline, force], end => forwardUntilAborted(end, options)),
  )
}

async function forwardUntilAborted(
  end: AbortSignal,
  options: ReceivedForwarderOptions,
): Promise<void> {
  const { inbox, stop } = options
  const backoff = new FailureBackoff(options)
  // Not ended by `stop` alone: the phone may receive texts faster than it reports them.
  while (!end.aborted) {
    const text = inbox.getNext()
    if (text === undefined) {
      if (stop.aborted) return
      await waitForText(options)
      continue
    }
    const result = await reportText(text, end, options, backoff)
    if (result === 'fatal' || (result === 'temporary' && stop.aborted)) return
    if (result !== 'temporary') await inbox.remove(text)
  }
}

async function waitForText({ inbox, clock, stop }: ReceivedForwarderOptions): Promise<void> {
  const done = new AbortController()
  await runWithSignal([stop], async signal => {
    const end = () => done.abort()
    signal.addEventListener('abort', end, { once: true })
    if (inbox.hasIncomplete) void clock.sleep(partsCheckInterval, done.signal).then(end)
    await inbox.waitForChange(done.signal)
    end()
  })
}

async function reportText(
  text: CompleteText,
  end: AbortSignal,
  options: ReceivedForwarderOptions,
  backoff: FailureBackoff,
): Promise<ForwardResult> {
  const { onEvent, stop } = options
  const { from } = text
  try {
    const { id, word } = await sendReport(text, end, options)
    if (backoff.recordSuccess()) onEvent({ event: 'online' })
    onEvent({ event: 'forwarded', received: id, from, ...(word === null ? {} : { word }) })
    return 'accepted'
  } catch (error) {
    const kind = classifyForwardError(error)
    if (kind === 'refused') onEvent({ event: 'unforwarded', from, error: errorText(error) })
    if (kind !== 'temporary') return kind
    if (backoff.recordFailure()) onEvent({ event: 'offline', error: errorText(error) })
    await backoff.wait(stop, getRequestedWait(error))
    return kind
  }
}

async function sendReport(
  { key, from, to = '', sim, line, text, at, mms }: CompleteText,
  signal: AbortSignal,
  { client, driverName }: ReceivedForwarderOptions,
) {
  const receiver = [line, sim].filter(each => each !== undefined).join(' ')
  const sender = from.slice(0, limits.sender) || 'unknown'
  const fields = {
    ...{ from: sender, message: text, received_on: formatDateTime(at) },
    ...(to === '' ? {} : { to: to.slice(0, limits.sender) }),
    driver: (line ?? driverName).slice(0, limits.phoneName),
    ...(receiver === '' ? {} : { line: receiver.slice(0, limits.phoneName) }),
    ...(mms === undefined ? {} : { kind: 'mms' as const, ...limitMms(mms) }),
  }
  return await client.receivedTexts.report(fields, { idempotencyKey: key, signal })
}

function limitMms({ subject, size, media }: Mms) {
  return {
    ...(subject === undefined ? {} : { subject: subject.slice(0, limits.mmsSubject) }),
    ...(size === undefined ? {} : { size }),
    ...(media === undefined ? {} : { media: media.filter(isWebAddress).slice(0, limits.mmsMedia) }),
  }
}

function isWebAddress(text: string): boolean {
  return text.length <= limits.url && /^https?:\/\//i.test(text)
}
