import { hashText } from '../../../util/crypto/secrets.js'
import type { DriverListener, IncomingText } from '../../driver-port/driver.js'
import { describeResult, type Env, runExternalProgram } from './external-program.js'
import { maxListLength, parseJsonOutput, readText } from './inbox-polling.js'

const name = 'termux-sms-list'
const newest = '100'

/** What {@link readTermuxInbox} works with. */
export interface TermuxInbox {
  readonly env: Env
  readonly install: string
  readonly listener: DriverListener
}

/**
 * Tells of the newest texts in the inbox of Android that came since the phone has begun to look, each once: they stay
 * there. Throws `trouble`.
 */
export async function readTermuxInbox(
  { env, install, listener }: TermuxInbox,
  signal: AbortSignal,
): Promise<void> {
  const since = (await listener.getFirstRun?.('termux')) ?? 0
  const args = ['-d', '-n', '-l', newest, '-t', 'inbox']
  const call = { args, timeout: 20_000, signal, keep: maxListLength }
  const ended = await runExternalProgram({ name, install, env }, call)
  if (signal.aborted) return
  const list = parseJsonOutput(ended, describeResult(name, ended))
  const texts = (Array.isArray(list) ? list : []).map(toIncomingText)
  texts.sort((one, other) => one.at - other.at || one.id - other.id)
  for (const { id: _, ...text } of texts) {
    // Android tells of whole seconds.
    if (text.at >= Math.floor(since / 1000) * 1000) await listener.onText(text)
  }
}

function toIncomingText(item: unknown): IncomingText & { id: number } {
  const from = readText(item, 'number') || readText(item, 'address') || readText(item, 'sender')
  const text = readText(item, 'body')
  const received = readText(item, 'received')
  const id = readText(item, '_id')
  const ref = id === '' ? hashText(JSON.stringify([from, received, text])) : `${id} ${received}`
  // The time of this machine, which is the phone.
  const at = Date.parse(received.replace(' ', 'T'))
  return { from, text, at: Number.isNaN(at) ? 0 : at, ref, id: Number(id) }
}
