import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { RelayClient } from '../../../src/client/relay-client.js'
import { type NewAccount, newAccount } from '../../../src/contract/account-schema.js'
import { startChromium } from '../../../tools/screenshots/chromium.js'
import { type AtEnd, type Home, makeHome, type Running } from '../program.js'

/** The built service with its owner, for all tests of a file. */
export interface DashboardService {
  readonly home: Home
  readonly url: string
  readonly owner: NewAccount
  /** Ends all of it. */
  end(): Promise<void>
}

/** Starts the built service in a directory of its own. */
export async function startDashboard(): Promise<DashboardService> {
  const closing: (() => Promise<void>)[] = []
  const atEnd: AtEnd = close => closing.unshift(close)
  const home = await makeHome(undefined, {}, atEnd)
  const service = home.start(['serve', '--port', '0', '--data', `${home.dir}/data`, '--json'])
  const owner = newAccount.parse(await service.line(line => line.event === 'account'))
  const { url } = await service.line(line => line.event === 'listening')
  const end = async () => {
    for (const close of closing) await close()
  }
  return { home, url: String(url), owner, end }
}

/** Chromium, or why there is none. */
export async function findChromium(): Promise<Browser | string> {
  try {
    return await startChromium()
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** Makes an account beside the owner's. */
export async function addAccount({ home }: DashboardService, email: string): Promise<NewAccount> {
  const args = ['account', 'create', email, '--data', `${home.dir}/data`, '--json']
  return newAccount.parse(JSON.parse((await home.run(args)).stdout))
}

/** An account's client: the integrator's, or with the application key the phone's. */
export function openClient(
  { url }: DashboardService,
  { secret_key, api_key }: Pick<NewAccount, 'secret_key' | 'api_key'>,
): RelayClient {
  return new RelayClient({ url, credentials: { user: secret_key, password: api_key } })
}

/** A phone of an account, that a test plays itself. */
export function openPhone(
  { url }: DashboardService,
  account: NewAccount,
  name: string,
): RelayClient {
  const credentials = { user: account.secret_key, password: account.app_key }
  return new RelayClient({ url, credentials, phone: { name, driver: 'simulate' } })
}

/** The program as the owner's phone. */
export function startPhone({ home }: DashboardService): Running {
  return home.start(['phone', '--driver', 'simulate', '--json'])
}

/** A window of a browser of its own, which ends with `atEnd`. */
export async function openPage(
  browser: Browser,
  { url: baseURL }: Pick<DashboardService, 'url'>,
  atEnd: AtEnd,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL, locale: 'en-US', ...options })
  atEnd(async () => await context.close())
  await context.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })
  context.setDefaultTimeout(15_000)
  return { context, page: await context.newPage() }
}

/** Signs in at the form, by hand. */
export async function signIn(page: Page, { email, password }: NewAccount): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** Signs in without the form, whose field of type `email` takes fewer addresses than an account may have. */
export async function signInByRequest(
  { request }: BrowserContext,
  { email, password }: NewAccount,
): Promise<void> {
  await request.post('/login', { form: { email, password } })
}
