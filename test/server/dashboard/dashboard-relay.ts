import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { RelayClient } from '../../../src/client/relay-client.js'
import type { Administration } from '../../../src/server/admin/administration.js'
import type { RelaySettings } from '../../../src/server/config/relay-config.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { onFileFinished } from '../../file-finished.js'
import { createRelay } from '../../quick-relay.js'
import { Browser } from './browser.js'

/** Of Ann and Bob. */
export const password = 'correct horse battery'
export const annEmail = 'ann@example.com'
export const bobEmail = 'bob@example.com'

/** For a test that throttles or counts for the whole relay, or starts it again: its own. */
export const ownRelay: Partial<RelaySettings> = { port: 0 }

/**
 * Ann is the owner. Tests without settings take turns on one relay of their file, each with new
 * accounts, and those with a clock on another; tests with settings or other overrides, and the
 * second relay of a test, get their own.
 */
export async function startRelay(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
) {
  const names = Object.keys({ ...settings, ...overrides }).join()
  const seat = names === '' ? plain : names === 'now' ? clocked : undefined
  if (seat !== undefined && !seat.isTaken) return await take(seat, overrides.now)
  const started = await open(settings, overrides)
  onTestFinished(started.close)
  return await addAnn(started)
}

interface Seat {
  running?: ReturnType<typeof open>
  now?: () => number
  isTaken?: boolean
}

const plain: Seat = {}
const clocked: Seat = {}

async function take(seat: Seat, now: () => number = Date.now) {
  seat.isTaken = true
  seat.now = now
  onTestFinished(() => {
    seat.isTaken = false
    seat.now = Date.now
  })
  seat.running ??= openShared(seat)
  const started = await seat.running
  await removeAll(started.relay.administration)
  started.defects.length = 0
  return await addAnn(started)
}

async function openShared(seat: Seat) {
  const started = await open({}, seat === plain ? {} : { now: () => (seat.now ?? Date.now)() })
  onFileFinished(async () => {
    delete seat.running
    await started.close()
  })
  return started
}

/** Removes what the test before has left. */
async function removeAll(administration: Administration): Promise<void> {
  for (const { email } of await administration.listAccounts())
    await administration.deleteAccount(email)
  for (const { number } of await administration.listDoNotText())
    await administration.removeDoNotText(number)
}

async function open(settings: Partial<RelaySettings>, overrides: RelayOverrides) {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-dashboard-'))
  const defects: unknown[] = []
  const reportDefect = (defect: unknown) => defects.push(defect)
  const relay = await createRelay({ dataDir, port: 0, ...settings }, { reportDefect, ...overrides })
  await relay.start()
  const close = async () => {
    await relay.stop()
    await rm(dataDir, { recursive: true })
  }
  return { relay, defects, close }
}

async function addAnn({ relay, defects }: Awaited<ReturnType<typeof open>>) {
  const { administration, url } = relay
  const ann = await administration.createAccount({ email: annEmail, password })
  const openBrowser = async (email = annEmail) => {
    const browser = new Browser(url)
    await browser.signIn(email, password, { follow: false })
    return browser
  }
  return { administration, ann, defects, url, openBrowser }
}

/** Ann is signed in, and Bob signs in before the first request of his browser. */
export async function startWithBrowsers(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
) {
  const relay = await startRelay(settings, overrides)
  const bob = await relay.administration.createAccount({ email: bobEmail, password })
  return {
    ...relay,
    bob,
    browser: await relay.openBrowser(),
    bobBrowser: new Browser(relay.url, { email: bobEmail, password }),
    client: openClient(relay.url, relay.ann),
  }
}

interface Keys {
  readonly secret_key: string
  readonly api_key: string
  readonly app_key: string
}

export function openClient(url: string, keys: Pick<Keys, 'secret_key' | 'api_key'>): RelayClient {
  return new RelayClient({ url, credentials: { user: keys.secret_key, password: keys.api_key } })
}

export function openPhone(
  url: string,
  keys: Pick<Keys, 'secret_key' | 'app_key'>,
  phone?: { readonly name: string; readonly driver: string },
): RelayClient {
  const credentials = { user: keys.secret_key, password: keys.app_key }
  return new RelayClient({ url, credentials, ...(phone && { phone }) })
}

export async function requestToken(url: string, user: string, secret: string): Promise<number> {
  const Authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return (await fetch(`${url}/oauth`, { headers: { Authorization } })).status
}
