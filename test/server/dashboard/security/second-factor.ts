import { expect } from 'vitest'
import { computeTotp } from '../../../../src/util/crypto/totp.js'
import { Browser, getHiddenField, type PageReply } from '../browser.js'
import { annEmail, password } from '../dashboard-relay.js'

export const authenticatorPath = '/settings/security/authenticator'

/** An authenticator app, by default at the time that the test's clock shows. */
export interface App {
  readonly code: (now?: number) => string
}

/** Sets up an authenticator app in a browser that is signed in; resolves to recovery codes too. */
export async function setUpApp(
  browser: Browser,
  now: () => number,
): Promise<{ readonly app: App; readonly recoveryCodes: string[] }> {
  const page = await browser.get(authenticatorPath)
  const secret = getHiddenField(page.text, 'secret')
  const app = { code: (at = now()) => computeTotp(secret, at) }
  const form = { secret, app_code: app.code(), password }
  const shown = await browser.submit(authenticatorPath, form)
  expect(shown.status, JSON.stringify(shown.errors)).toBe(200)
  return { app, recoveryCodes: readRecoveryCodes(shown) }
}

export function readRecoveryCodes({ text }: PageReply): string[] {
  const [, codes = ''] = /<pre id="recovery-codes"[^>]*>\s*([^<]*)<\/pre>/.exec(text) ?? []
  return codes
    .trim()
    .split('\n')
    .filter(code => code !== '')
}

/** Enters e-mail address and password in a new browser, which then asks for the code. */
export async function enterPassword(url: string, email = annEmail): Promise<Browser> {
  const browser = new Browser(url)
  expect((await browser.signIn(email, password)).path).toBe('/login/code')
  return browser
}

/** Signs in with a code in a new browser. */
export async function signInWithCode(url: string, code: string): Promise<PageReply> {
  const browser = await enterPassword(url)
  return await browser.post('/login/code', { code })
}
