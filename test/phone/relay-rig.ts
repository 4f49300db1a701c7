import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  type AccountDraft,
  type NewAccount,
  type Relay,
  RelayClient,
  type RelayClientOptions,
} from '../../src/index.js'
import { type DispatcherOptions, runDispatcher } from '../../src/phone/dispatch/run-dispatcher.js'
import type { Driver } from '../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../src/phone/events/phone-events.js'
import type { FileJournal } from '../../src/phone/journal/file-journal.js'
import { findFreePort } from '../../tools/ports/free-ports.js'
import { createRelay } from '../quick-relay.js'
import { createFastClock } from '../util/async/fast-clock.js'

export const destination = '+12025550123'

/** Starts a relay with one account; it can be restarted on the same port. */
async function startRelay(draft: Partial<AccountDraft> = {}, lease = 120, now = Date.now) {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-phone-'))
  const port = await findFreePort()
  let relay: Relay | undefined
  const start = async () => {
    relay = await createRelay({ dataDir, port, lease }, { now })
    await relay.start()
    return relay
  }
  const stop = async () => {
    const running = relay
    relay = undefined
    await running?.stop()
  }
  onTestFinished(async () => {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { administration, url } = await start()
  const account = await administration.createAccount({ email: 'a@example.com', ...draft })
  return { url, account, dataDir, stop, again: start }
}

export function clientWith(
  url: string,
  account: NewAccount,
  key: 'api_key' | 'app_key',
): RelayClient {
  const credentials = { user: account.secret_key, password: account[key] }
  return new RelayClient({ url, credentials, retries: 0 })
}

/** Starts a relay; returns it with a client of its account and helpers for phones. */
export async function setUp(draft: Partial<AccountDraft> = {}, lease?: number, now?: () => number) {
  const relay = await startRelay(draft, lease, now)
  const client = clientWith(relay.url, relay.account, 'api_key')
  const phone = (driver: Driver, options: Partial<DispatcherOptions> = {}) =>
    startPhone(clientWith(relay.url, relay.account, 'app_key'), driver, options)
  const send = (message = 'Hello') => client.messages.create({ destination, message })
  const status = async (id: string) => (await client.messages.get(id)).status
  return { ...relay, client, phone, send, status }
}

/** Starts a phone whose waits take a tenth of their time. */
export function startPhone(
  client: RelayClient,
  driver: Driver,
  options: Partial<DispatcherOptions>,
) {
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const done = runDispatcher({
    client,
    driver,
    stop: stop.signal,
    onEvent: event => events.push(event),
    clock: createFastClock(10),
    ...options,
  })
  const finish = async () => {
    stop.abort()
    return await done
  }
  onTestFinished(async () => void (await finish().catch(() => {})))
  const waitFor = (event: PhoneEvent['event']) =>
    expect.poll(() => events.map(each => each.event)).toContain(event)
  return { done, events, finish, waitFor }
}

/** Creates the client of a phone with its token from the journal. */
export async function createPhoneClient(
  url: string,
  credentials: { user: string; password: string },
  journal: FileJournal,
  more: Partial<RelayClientOptions> = {},
): Promise<RelayClient> {
  const token = await journal.readToken()
  return new RelayClient({
    ...{ url, credentials, retries: 0 },
    ...(token === undefined ? {} : { token }),
    onToken: journal.saveToken,
    ...more,
  })
}
