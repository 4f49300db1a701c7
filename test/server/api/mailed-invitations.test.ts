import { request as sendRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { RelaySettings } from '../../../src/server/config/relay-config.js'
import { json, signInCaller } from '../../conformance/calls.js'
import { openMailServer } from '../collecting-mail-server.js'
import { Browser } from '../dashboard/browser.js'
import { password, startWithBrowsers } from '../dashboard/dashboard-relay.js'

const people = '/settings/people'
const victim = 'victim@example.com'
const baseUrl = 'https://sms.example.com'

async function start(settings: Partial<RelaySettings> = { baseUrl }) {
  const { mails, url: mailRelay } = await openMailServer()
  const mail = { mailRelay, mailFrom: 'relay@example.org' }
  const relay = await startWithBrowsers({ port: 0, ...mail, ...settings })
  const login = async (email: string) => await signInCaller(relay.url, email, password)
  return { ...relay, mails, login }
}

interface Invited {
  readonly invitation: { readonly url: string; readonly mailed: boolean | null }
}

test('an address gets ten invitations a day from all accounts, by API and page', async () => {
  const { url, administration, mails, login } = await start()
  const accounts = ['c@example.com', 'd@example.com', 'e@example.com']
  for (const email of accounts) await administration.createAccount({ email, password })
  const mailed: (boolean | null)[] = []
  const [first = '', second = '', third = ''] = accounts
  for (const email of [first, second]) {
    const caller = await login(email)
    for (const to of [victim, victim, 'VICTIM@example.com', victim, victim]) {
      const reply = await caller.call('POST', '/invitation', json({ email: to, role: 'reader' }))
      mailed.push((reply.body as unknown as Invited).invitation.mailed)
    }
  }
  expect(mailed).toEqual(Array.from({ length: 10 }, () => true))
  const caller = await login(third)
  const late = await caller.call('POST', '/invitation', json({ email: victim, role: 'reader' }))
  expect((late.body as unknown as Invited).invitation).toMatchObject({ mailed: false })
  const browser = new Browser(url, { email: third, password })
  const page = await browser.submit(people, { email: victim, role: 'reader' })
  expect(page.text).toContain(`No mail was sent to ${victim}`)
  expect(page.text).toContain('/invitation/sri_')
  expect(mails).toHaveLength(10)
  const other = await browser.submit(people, { email: 'other@example.com', role: 'reader' })
  expect(other.text).toContain('The link was sent to other@example.com')
})

test.each([
  ['without a base URL', { trustProxy: true }, null, 'http://evil.example/'],
  ['with a base URL', { trustProxy: true, baseUrl }, true, `${baseUrl}/`],
] as const)('a foreign Host %s is in no mail', async (_, settings, mailed, link) => {
  const { url, ann, mails } = await start({ ...settings })
  const { token } = await signInCaller(url, ann.email, password)
  const headers = {
    Host: settings.trustProxy && !('baseUrl' in settings) ? 'evil.example' : 'sms.example.com',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'http',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
  }
  const body = await new Promise<string>((resolve, reject) => {
    const request = sendRequest(`${url}/api/1/invitation`, { method: 'POST', headers })
    request.on('error', reject).on('response', reply => resolve(text(reply)))
    request.end(JSON.stringify({ email: victim, role: 'reader' }))
  })
  const { invitation } = JSON.parse(body) as Invited
  expect(invitation.mailed, body).toBe(mailed)
  expect(invitation.url.startsWith(link), invitation.url).toBe(true)
  expect(JSON.stringify(mails)).not.toContain('evil.example')
  expect(mails).toHaveLength(mailed === true ? 1 : 0)
})

describe('an address in which mail programs read another is refused', async () => {
  test.each(['x,victim@example.com', 'a<b@example.com', '"a b"@example.com'])('%s', async wrong => {
    const { browser, administration, login, mails, client } = await start()
    const api = await login('ann@example.com')
    for (const [method, path, fields] of [
      ['POST', '/invitation', { email: wrong, role: 'reader' }],
      ['PATCH', '/user/settings', { alerts: wrong }],
      ['PATCH', '/user/settings', { received_mail: wrong }],
      ['POST', '/mailbox', { senders: [wrong], destinations: ['+12025550143'] }],
    ] as const) {
      const reply = await api.call(method, path, json(fields))
      expect([reply.status, path], reply.text).toEqual([400, path])
    }
    for (const [path, fields] of [
      [people, { email: wrong, role: 'reader' }],
      ['/settings/email', { email: wrong, password }],
    ] as const) {
      const page = await browser.submit(path, fields)
      expect([page.status, path], page.text).toEqual([400, path])
    }
    await expect(administration.createAccount({ email: wrong })).rejects.toThrow('email')
    const invited = { email: wrong, role: 'reader', account: 'ann@example.com' } as const
    await expect(administration.invitePerson(invited)).rejects.toThrow('email')
    expect(await client.mailboxes.list()).toEqual([])
    expect(mails).toEqual([])
  })
})
