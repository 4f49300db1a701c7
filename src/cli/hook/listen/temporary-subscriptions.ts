import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubscriptionClient } from '../../../client/subscription-client.js'
import { parseObjectId, toObjectFields } from '../../../contract/event-schema.js'
import type { SubscriptionFields } from '../../../contract/subscription-schema.js'
import { eventObjects } from '../../../domain/webhook/event.js'
import { isRelayError, RelayError } from '../../../errors.js'
import { lockDirectory } from '../../../util/files/directory-lock.js'
import { toEventName } from '../hook-flags.js'
import type { IncomingWebhook } from '../webhook-receiver.js'
import type { EventWebhook } from './listen-events.js'

/**
 * Events to subscribe to for `hook listen`; `url` is where the relay reaches the local receiver.
 */
export interface TemporarySubscriptionsOptions {
  readonly client: {
    readonly subscriptions: Pick<
      SubscriptionClient,
      'create' | 'delete' | 'edit' | 'list' | 'resume'
    >
  }
  readonly events: readonly string[]
  readonly url: string
  readonly machine: string
  readonly stateDir: string
  readonly method?: string
  readonly post?: boolean
}

interface Leftover extends SubscriptionFields {
  readonly key: string
}

/**
 * One temporary subscription of `hook listen` for each event. Each has its own path, because a
 * webhook names no event. They carry the name of this machine: if `hook listen` is killed, its next
 * run takes them over, and without one the relay removes them after an hour.
 */
export class TemporarySubscriptions {
  readonly #options: TemporarySubscriptionsOptions
  #lock: ListenerLock | undefined
  readonly #ids = new Map<string, string>()

  constructor(options: TemporarySubscriptionsOptions) {
    this.#options = options
  }

  /**
   * Takes over the temporary subscriptions of a listener that has ended, and creates the others;
   * resolves to the events that were taken over. After an error, call {@link remove} as well.
   */
  async create(signal: AbortSignal): Promise<readonly string[]> {
    const { client, events, stateDir } = this.#options
    const leftovers = this.#findLeftovers(await client.subscriptions.list({ signal }))
    this.#lock = await lockListenerKey(stateDir, new Set(leftovers.map(({ key }) => key)))
    const { key } = this.#lock
    for (const leftover of leftovers.filter(each => each.key === key)) {
      await this.#takeOver(leftover, signal).catch(ignoreRemoved)
    }
    const takenOver = [...this.#ids.keys()]
    for (const event of events) if (!this.#ids.has(event)) await this.#createOne(event, signal)
    return takenOver
  }

  /**
   * Tells the relay that the listener of the temporary subscriptions still runs. Creates those
   * again that the relay has removed, and resolves to their events.
   */
  async renew(signal: AbortSignal): Promise<readonly string[]> {
    const { client, machine } = this.#options
    const created: string[] = []
    for (const [event, id] of this.#ids) {
      try {
        const edit = { event, listener: machine }
        await client.subscriptions.edit(id, edit, { signal })
      } catch (error) {
        if (!isRelayError(error, 'not_a_subscription')) throw error
        await this.#createOne(event, signal)
        created.push(event)
      }
    }
    return created
  }

  parseWebhook(webhook: IncomingWebhook): EventWebhook | undefined {
    const { method, url, headers, body } = webhook
    const { pathname } = new URL(url, 'http://receiver')
    const event = this.#options.events.find(name => pathname.endsWith(this.#getPath(name)))
    if (event === undefined) return undefined
    return { event, ...toObjectFields(event, findObjectId(webhook)), method, url, headers, body }
  }

  async remove(): Promise<readonly string[]> {
    const signal = AbortSignal.timeout(5000)
    const remaining: string[] = []
    for (const id of this.#ids.values()) {
      try {
        await this.#options.client.subscriptions.delete(id, { signal })
      } catch (error) {
        if (!isRelayError(error, 'not_a_subscription')) remaining.push(id)
      }
    }
    this.#ids.clear()
    await this.#lock?.release(remaining.length > 0)
    return remaining
  }

  #findLeftovers(subscriptions: readonly SubscriptionFields[]): Leftover[] {
    const { machine } = this.#options
    return subscriptions
      .filter(({ listener }) => listener === machine)
      .flatMap(each => {
        const key = findKey(each)
        return key === undefined ? [] : [{ ...each, key }]
      })
  }

  /** Continues a subscription of an earlier run, or deletes it if this run does without it. */
  async #takeOver({ id, event, state }: Leftover, signal: AbortSignal): Promise<void> {
    const { client, events, method = 'POST', post = false } = this.#options
    if (!events.includes(event) || this.#ids.has(event)) {
      return await client.subscriptions.delete(id, { signal })
    }
    const edit = { ...this.#createDraft(event), method, post }
    await client.subscriptions.edit(id, edit, { signal })
    this.#ids.set(event, id)
    if (state === 'paused') await client.subscriptions.resume(id, { signal })
  }

  async #createOne(event: string, signal: AbortSignal): Promise<void> {
    const { client, method, post } = this.#options
    const draft = {
      ...this.#createDraft(event),
      ...(method === undefined ? {} : { method }),
      ...(post === undefined ? {} : { post }),
    }
    this.#ids.set(event, (await client.subscriptions.create(draft, { signal })).id)
  }

  #createDraft(event: string) {
    return {
      event: toEventName(event),
      url: `${this.#options.url.replace(/\/+$/, '')}${this.#getPath(event)}`,
      // If `hook listen` is killed, its subscription does not store its events forever.
      on_exhausted: 'skip' as const,
      listener: this.#options.machine,
    }
  }

  #getPath(event: string): string {
    return `/${this.#lock?.key ?? ''}/${event}`
  }
}

/** The earlier run may have removed its subscriptions since they were listed. */
function ignoreRemoved(error: unknown): void {
  if (!isRelayError(error, 'not_a_subscription')) throw error
}

function findKey({ url, event }: SubscriptionFields): string | undefined {
  const [key = '', name] = new URL(url).pathname.split('/').slice(-2)
  return name === event && /^[\w-]{12}$/.test(key) ? key : undefined
}

/**
 * A webhook's object id is in the query, or with `post` in the body (docs/reference/interface.md
 * 6).
 */
export function findObjectId({ url, body }: Pick<IncomingWebhook, 'url' | 'body'>): string | null {
  const query = new URL(url, 'http://receiver').searchParams
  const inQuery = eventObjects.map(object => query.get(`${object}[id]`)).find(id => id !== null)
  return inQuery ?? parseObjectId(body)
}

export interface ListenerLock {
  /** Part of the path of each webhook of this listener. */
  readonly key: string
  release(keepsKey: boolean): Promise<void>
}

/** Milliseconds after which a directory that no listener uses is removed. */
const forgottenAfter = 24 * 60 * 60_000

/**
 * Locks the first of the keys that an earlier listener has left in the directory and that no
 * running one uses, or else a new key. Another machine can have the same name, but not the keys.
 */
export async function lockListenerKey(
  stateDir: string,
  keys: ReadonlySet<string>,
): Promise<ListenerLock> {
  await removeForgottenKeys(stateDir, keys)
  for (const key of keys) {
    const isLeft = await exists(getDirectory(stateDir, key))
    const lock = isLeft ? await tryLockKey(stateDir, key) : undefined
    if (lock !== undefined) return lock
  }
  return await lockKey(stateDir, randomBytes(9).toString('base64url'))
}

async function tryLockKey(stateDir: string, key: string): Promise<ListenerLock | undefined> {
  try {
    return await lockKey(stateDir, key)
  } catch (error) {
    if (isRelayError(error, 'directory_in_use')) return undefined
    // Its listener has ended and removed the directory in this moment.
    if (!(await exists(getDirectory(stateDir, key)))) return undefined
    throw error
  }
}

/**
 * Removes the directories of killed listeners whose subscriptions no relay has any more. Another
 * relay may still have those of a listener that started within a day.
 */
async function removeForgottenKeys(stateDir: string, keys: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(stateDir).catch(() => [])) {
    const key = /^listen-([\w-]{12})$/.exec(name)?.[1]
    if (key === undefined || keys.has(key)) continue
    const found = await stat(getDirectory(stateDir, key)).catch(() => undefined)
    if (found === undefined || Date.now() - found.mtimeMs < forgottenAfter) continue
    // One that cannot be locked or removed is in use, or another user's.
    const lock = await tryLockKey(stateDir, key).catch(() => undefined)
    await lock?.release(false).catch(() => {})
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

async function lockKey(stateDir: string, key: string): Promise<ListenerLock> {
  const directory = getDirectory(stateDir, key)
  const lock = await lockDirectory(directory).catch(error => {
    throw toStateError(error)
  })
  return {
    key,
    release: async keepsKey => {
      const remove = async (): Promise<void> => {
        if (!keepsKey) await rm(directory, { recursive: true, force: true })
      }
      // After the release it may belong to a new listener; Windows cannot remove it before.
      const isWindows = process.platform === 'win32'
      try {
        if (!isWindows) await remove()
      } finally {
        await lock.release()
      }
      if (isWindows) await remove()
    },
  }
}

function getDirectory(stateDir: string, key: string): string {
  return join(stateDir, `listen-${key}`)
}

function toStateError(cause: unknown): unknown {
  if (!isRelayError(cause, 'configuration')) return cause
  const hint = 'Choose another directory with --state or SMSRELAY_STATE_DIR.'
  return new RelayError('configuration', cause.message, { hint, cause })
}
