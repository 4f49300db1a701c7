import { join } from 'node:path'
import type { EventFields } from '../../../contract/event-schema.js'
import { isTransient, RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { type DirectoryLock, lockDirectory } from '../../../util/files/directory-lock.js'
import { JsonFile } from '../../../util/files/json-file.js'
import { fetchObject } from '../fetch-object.js'
import type { ListenContext } from './listen-context.js'
import type { LocalDelivery } from './local-delivery.js'

interface Destination {
  readonly delivery: LocalDelivery
  readonly position: StreamPosition
}

/** Reads the relay's event stream until `hook listen` ends; finishes each event before the next. */
export async function listenToStream(context: ListenContext): Promise<void> {
  const { delivery } = context
  if (delivery === undefined) return await readStream(context, undefined)
  const position = await openPosition(context, delivery.target)
  try {
    await readStream(context, { delivery, position })
  } finally {
    await position.close()
  }
}

async function openPosition(
  { client, user, settings, stateDir }: ListenContext,
  target: string,
): Promise<StreamPosition> {
  const key = { url: client.url, user, target, events: settings.events }
  return await StreamPosition.open(join(stateDir, getPositionDirectoryName(key)))
}

async function readStream(context: ListenContext, to: Destination | undefined): Promise<void> {
  const { client, settings, events, forwardTo, end, onEvent } = context
  const { signal } = end
  const after = await findStart(context, to?.position.acknowledged)
  const failed = settings.from?.kind === 'failed' ? (to?.position.failed ?? []) : []
  to?.position.start(after)
  await to?.position.flush()
  let previous = after
  let isReady = false
  for await (const notice of client.events.follow({ after, events: settings.events, signal })) {
    if (notice.type === 'open') {
      if (to !== undefined) await updateSecret(context, to.delivery)
      if (!isReady) {
        const secret = to === undefined ? {} : { secret: to.delivery.secret }
        onEvent({ type: 'ready', mode: 'stream', url: client.url, events, ...forwardTo, ...secret })
        if (to !== undefined) await deliverFailed(context, to, failed)
      }
      isReady = true
    } else if (notice.type === 'event') {
      await handleEvent(context, to, notice.event, previous)
      to?.position.assertWritten()
      if (!signal.aborted) previous = notice.event.sequence
    } else if (notice.type === 'missing') onEvent(notice)
    else {
      const { error, attempt, wait } = notice
      const { code, message } = error
      onEvent({ type: 'reconnecting', error: { code, message }, attempt, wait })
    }
    if (signal.aborted) return
  }
}

/**
 * Finds the event sequence after which `hook listen` starts. A saved position beyond the relay's
 * last event is from another relay or from before a restored backup, so the last event counts then.
 */
async function findStart(
  { client, settings, end }: ListenContext,
  saved: number | undefined,
): Promise<number> {
  const { from, events } = settings
  const after = from?.kind === 'after' ? from.after : undefined
  const query = { after: after ?? 0, events, count: 1 }
  const { last, events: found } = await client.events.list(query, { signal: end.signal })
  const position = from?.kind === 'now' ? undefined : saved
  if (after === undefined) return Math.min(position ?? last, last)
  if (after >= 0) return after
  const first = found[0]
  return first === undefined ? last : first.sequence - 1
}

/**
 * Gets the account's signing secret for forwarded webhooks. While the relay is unavailable, the
 * previous secret still signs.
 */
async function updateSecret(
  { client, end }: ListenContext,
  delivery: LocalDelivery,
): Promise<void> {
  try {
    delivery.secret = await client.subscriptions.getSigningSecret({ signal: end.signal })
  } catch (error) {
    if (delivery.secret === '' || !isTransient(error)) throw error
  }
}

async function handleEvent(
  { client, settings, end, clock, onEvent }: ListenContext,
  to: Destination | undefined,
  event: EventFields,
  previous: number,
): Promise<void> {
  const { signal } = end
  const fetched = settings.fetches
    ? { fetched: await fetchObject(client, event, signal, clock.sleep) }
    : {}
  if (signal.aborted) return
  onEvent({ type: 'event', ...event, ...fetched })
  if (to !== undefined) {
    const succeeded = await to.delivery.deliver(event, previous, signal)
    if (succeeded === undefined) return
    if (!succeeded && settings.expected !== undefined) return end.end('unexpected')
    if (succeeded) to.position.acknowledge(event.sequence)
    else to.position.markFailed(event.sequence)
  }
  end.countEvent(event.event)
}

async function deliverFailed(
  { client, settings, end, onEvent }: ListenContext,
  { delivery, position }: Destination,
  failed: readonly number[],
): Promise<void> {
  const { signal } = end
  for (const sequence of failed) {
    if (signal.aborted) return
    const page = await client.events.list({ after: sequence - 1, count: 1 }, { signal })
    const event = page.events.find(each => each.sequence === sequence)
    if (event === undefined) {
      position.removeFailed(sequence)
      continue
    }
    onEvent({ type: 'event', ...event })
    const succeeded = await delivery.deliver(event, sequence - 1, signal)
    if (succeeded === true) position.removeFailed(sequence)
    if (succeeded === true) end.countEvent(event.event)
    else if (succeeded === false && settings.expected !== undefined) end.end('unexpected')
  }
}

export interface StreamPositionKey {
  readonly url: string
  readonly user: string
  readonly target: string
  readonly events: readonly string[] | undefined
}

interface StoredPosition {
  readonly acknowledged: number
  readonly refused: readonly number[]
}

const fileName = 'place.json'
/** Failed events that `hook listen` stores; the oldest are deleted first. */
const maxFailed = 1000
const writeHint = 'Choose another directory with --state or SMSRELAY_STATE_DIR.'

export function getPositionDirectoryName({ url, user, target, events }: StreamPositionKey): string {
  const key = [url, user, target, events === undefined ? '*' : [...events].sort()]
  return `hook-${hashText(JSON.stringify(key)).slice(0, 12)}`
}

/**
 * The saved position of `hook listen` in the event stream: its last finished event, and the events
 * that failed. Changes are written in the background, one at a time. After a crash, some events are
 * delivered twice, but no event is lost.
 */
export class StreamPosition {
  readonly #file: JsonFile<StoredPosition>
  readonly #lock: DirectoryLock
  #content: StoredPosition | undefined
  #writing: Promise<void> | undefined
  #isChanged = false
  #error: unknown

  private constructor(
    file: JsonFile<StoredPosition>,
    lock: DirectoryLock,
    content: StoredPosition | undefined,
  ) {
    this.#file = file
    this.#lock = lock
    this.#content = content
  }

  static async open(directory: string): Promise<StreamPosition> {
    const lock = await lockPositionDirectory(directory)
    const file = new JsonFile(join(directory, fileName), {
      content: 'The stream position',
      isValid: isStoredPosition,
      damagedHint: 'Remove the file, and choose the first event with --from.',
      writeHint,
    })
    try {
      return new StreamPosition(file, lock, await file.read())
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /**
   * Sequence of the last event that was forwarded or failed; undefined for a new stream position.
   */
  get acknowledged(): number | undefined {
    return this.#content?.acknowledged
  }

  get failed(): readonly number[] {
    return this.#content?.refused ?? []
  }

  start(after: number): void {
    this.#change({ acknowledged: after, refused: this.failed })
  }

  /** Saves that `hook listen` finished this event of the stream and all before it. */
  acknowledge(sequence: number): void {
    const refused = this.failed.filter(each => each !== sequence)
    this.#change({ acknowledged: sequence, refused })
  }

  markFailed(sequence: number): void {
    const refused = [...new Set([...this.failed, sequence])].sort((a, b) => a - b)
    const acknowledged = Math.max(this.acknowledged ?? 0, sequence)
    this.#change({ acknowledged, refused: refused.slice(-maxFailed) })
  }

  removeFailed(sequence: number): void {
    if (this.#content === undefined) return
    const refused = this.failed.filter(each => each !== sequence)
    this.#change({ ...this.#content, refused })
  }

  assertWritten(): void {
    if (this.#error !== undefined) throw this.#error
  }

  async flush(): Promise<void> {
    await this.#writing
    this.assertWritten()
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#lock.release()
    }
  }

  #change(content: StoredPosition): void {
    this.#content = content
    this.#isChanged = true
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    try {
      while (this.#isChanged && this.#content !== undefined) {
        this.#isChanged = false
        await this.#file.write(this.#content)
      }
    } catch (error) {
      this.#error = error
    }
    this.#writing = undefined
  }
}

async function lockPositionDirectory(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (!(cause instanceof RelayError)) throw cause
    const hint =
      cause.code === 'directory_in_use'
        ? 'Another listener forwards to this address: stop it, or use another --state.'
        : writeHint
    throw new RelayError(cause.code, cause.message, { hint, cause })
  }
}

function isStoredPosition(value: unknown): value is StoredPosition {
  if (typeof value !== 'object' || value === null) return false
  const { acknowledged, refused } = value as Partial<StoredPosition>
  return Array.isArray(refused) && [acknowledged, ...refused].every(isSequence)
}

function isSequence(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
