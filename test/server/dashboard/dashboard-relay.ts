import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { RelayClient } from '../../../src/client/relay-client.js'
import type { RelaySettings } from '../../../src/server/config/relay-config.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { createRelay } from '../../quick-relay.js'
import { Browser, type FormInput } from './browser.js'

/** Of Ann and Bob. */
export const password = 'correct horse battery'
export const annEmail = 'ann@example.com'
export const bobEmail = 'bob@example.com'

/** Ann is the owner. */
export async function startRelay(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-dashboard-'))
  const defects: unknown[] = []
  const reportDefect = (defect: unknown) => defects.push(defect)
  const relay = await createRelay({ dataDir, port: 0, ...settings }, { reportDefect, ...overrides })
  await relay.start()
  onTestFinished(async () => {
    await relay.stop()
    await rm(dataDir, { recursive: true })
  })
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

export async function expectGuarded(
  browser: Browser,
  url: string,
  path: string,
  form: FormInput = {},
) {
  expect((await browser.post(path, form)).status).toBe(403)
  const stranger = await new Browser(url).post(path, form)
  expect(stranger.path).toMatch(/^\/login/)
}
