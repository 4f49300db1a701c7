import type { Role } from '../../../../src/domain/account/person.js'
import type { RelaySettings } from '../../../../src/server/config/relay-config.js'
import { Browser, getShownSecret } from '../browser.js'
import { password, startRelay } from '../dashboard-relay.js'

export const emails: Readonly<Record<Role, string>> = {
  reader: 'rita@example.com',
  sender: 'sam@example.com',
  admin: 'alan@example.com',
}

/** Invites somebody on the page, an admin with the password; resolves to the path of the link. */
export async function invite(browser: Browser, email: string, role: Role): Promise<string> {
  const form = { email, role, ...(role === 'admin' ? { password } : {}) }
  const { text } = await browser.submit('/settings/people', form)
  return new URL(getShownSecret(text, 'invitation-link')).pathname
}

/** Accepts an invitation, and signs in. */
export async function joinAccount(url: string, link: string, email: string): Promise<Browser> {
  const browser = new Browser(url)
  await browser.post(link, { new_password: password, repeated: password })
  await browser.signIn(email, password)
  return browser
}

/** A relay with a person of each role in the account of Ann, and a browser for each. */
export async function startWithPeople(settings: Partial<RelaySettings> = {}) {
  const relay = await startRelay(settings)
  const ann = await relay.openBrowser()
  const browsers: Partial<Record<Role, Browser>> = {}
  for (const role of ['reader', 'sender', 'admin'] as const) {
    const link = await invite(ann, emails[role], role)
    browsers[role] = await joinAccount(relay.url, link, emails[role])
  }
  return { ...relay, annBrowser: ann, browsers: browsers as Record<Role, Browser> }
}

/** The User Login token of an e-mail address, with a second factor also by its code. */
export async function fetchToken(url: string, email: string, code = ''): Promise<string> {
  const basic = Buffer.from(`${email}:${password}`).toString('base64')
  const headers = { Authorization: `Basic ${basic}`, 'X-Sign-In-Code': code }
  const reply = await fetch(`${url}/oauth`, { headers })
  return ((await reply.json()) as { access_token: string }).access_token
}
