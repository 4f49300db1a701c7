import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { RelayClient } from '../../../src/client/relay-client.js'
import { type NewAccount, newAccount } from '../../../src/contract/account-schema.js'
import { startChromium } from '../../../tools/browser/chromium.js'
import { type AtEnd, type Home, makeHome, type Running } from '../program.js'

/** A running relay with its owner, shared by all tests of a file. */
export interface DashboardService {
  readonly home: Home
  readonly url: string
  readonly owner: NewAccount
  stop(): Promise<void>
}

/** Starts the built relay in its own directory. */
export async function startDashboard(): Promise<DashboardService> {
  const closing: (() => Promise<void>)[] = []
  const atEnd: AtEnd = close => closing.unshift(close)
  const home = await makeHome(undefined, {}, atEnd)
  const relay = home.start(['serve', '--port', '0', '--data', `${home.dir}/data`, '--json'])
  const owner = newAccount.parse(await relay.line(line => line.event === 'account'))
  const { url } = await relay.line(line => line.event === 'listening')
  const stop = async () => {
    for (const close of closing) await close()
  }
  return { home, url: String(url), owner, stop }
}

/** Starts Chromium, or returns the reason why it cannot start. */
export async function findChromium(): Promise<Browser | string> {
  try {
    return await startChromium()
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

export async function addAccount({ home }: DashboardService, email: string): Promise<NewAccount> {
  const args = ['account', 'create', email, '--data', `${home.dir}/data`, '--json']
  return newAccount.parse(JSON.parse((await home.run(args)).stdout))
}

/** A client with the API key of an account. */
export function openClient(
  { url }: Pick<DashboardService, 'url'>,
  { secret_key, api_key }: Pick<NewAccount, 'secret_key' | 'api_key'>,
): RelayClient {
  return new RelayClient({ url, credentials: { user: secret_key, password: api_key } })
}

/** A client with the application key of an account, for a phone. */
export function openPhone({ url }: DashboardService, keys: NewAccount, name: string): RelayClient {
  const credentials = { user: keys.secret_key, password: keys.app_key }
  return new RelayClient({ url, credentials, phone: { name, driver: 'simulate' } })
}

/** Starts the built program as a phone of the owner. */
export function startPhone({ home }: DashboardService): Running {
  return home.start(['phone', '--driver', 'simulate', '--json'])
}

/** Opens a page in its own browser context, which `atEnd` closes. */
export async function openPage(
  browser: Browser,
  { url: baseURL }: Pick<DashboardService, 'url'>,
  atEnd: AtEnd,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL, locale: 'en-US', ...options })
  atEnd(async () => await context.close())
  await context.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })
  context.setDefaultTimeout(60_000)
  return { context, page: await context.newPage() }
}

/** Signs in with the form. */
export async function signIn(page: Page, account: NewAccount): Promise<void> {
  await page.goto('/login')
  await fillSignIn(page, account)
  await page.waitForURL('/')
}

/** Fills the form of the sign-in page, which is open, and sends it. */
export async function fillSignIn(
  page: Page,
  { email, password }: Pick<NewAccount, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/**
 * Signs in without the form, whose e-mail field rejects some addresses that accounts can have. It
 * takes half as long as with the form.
 */
export async function signInByRequest(
  { request }: BrowserContext,
  { email, password }: NewAccount,
): Promise<void> {
  await request.post('/login', { form: { email, password }, maxRedirects: 0 })
}
