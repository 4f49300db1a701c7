import { expect } from 'vitest'
import { RelayClient } from '../../../src/client/relay-client.js'
import type { RelaySettings } from '../../../src/server/config/relay-config.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { Browser, type FormInput, password, startRelay } from './browser.js'

/** A relay, and Ann's and Bob's browsers signed in to it. */
export async function startWithBrowsers(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
) {
  const world = await startRelay(settings, overrides)
  const bobs = await world.relay.administration.createAccount({
    email: 'bob@example.com',
    password,
  })
  const [browser, bob] = [new Browser(world.url), new Browser(world.url)]
  await browser.signIn()
  await bob.signIn('bob@example.com')
  return { ...world, bobs, browser, bob }
}

/** A client with the API key of an account. */
export function openClient(
  url: string,
  { secret_key, api_key }: { readonly secret_key?: string; readonly api_key?: string },
): RelayClient {
  return new RelayClient({ url, credentials: { user: `${secret_key}`, password: `${api_key}` } })
}

/** Sees that a form is refused without the token of its session, and to whom is not signed in. */
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
