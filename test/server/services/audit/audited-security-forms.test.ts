import { expect, test } from 'vitest'
import type { AuditAction } from '../../../../src/domain/audit/audit-entry.js'
import { createPages } from '../../../../src/server/dashboard/dashboard-pages.js'
import type { PageSender } from '../../../../src/server/dashboard/page/page-sender.js'
import { Browser, getHiddenField, type PageReply } from '../../dashboard/browser.js'
import { annEmail, openPhone, password } from '../../dashboard/dashboard-relay.js'
import { readRecoveryCodes, setUpApp } from '../../dashboard/security/second-factor.js'
import { readPasskeyOptions, SoftwarePasskey } from '../../dashboard/security/software-passkey.js'
import { findPlanted } from '../../log/planted-values.js'
import { startAudited } from './audit-rig.js'

const number = '+12025550187'
const text = 'a planted text'
const security = '/settings/security'
const table = `number,message\n${number},${text}\n`

/** Ann, signed in at a host name, where passkeys work. */
async function start() {
  const relay = await startAudited()
  const url = relay.url.replace('127.0.0.1', 'localhost')
  const signIn = async () => {
    const browser = new Browser(url)
    await browser.signIn(annEmail, password)
    return browser
  }
  await relay.readNew()
  const browser = await signIn()
  const confirm = async (path: string, form: Record<string, string> = {}) => {
    const was = getHiddenField((await browser.get(path)).text, 'was')
    return await browser.submit(path, { was, password, ...form })
  }
  await relay.readNew()
  return { ...relay, site: url, browser, signIn, confirm, codes: [] as string[] }
}

type Rig = Awaited<ReturnType<typeof start>>

interface Step {
  readonly route: string
  readonly run: (rig: Rig) => Promise<PageReply>
  readonly entries: readonly { readonly action: AuditAction; readonly detail?: string }[]
}

const passkeys = `${security}/passkeys`

async function addPasskey({ browser, site, codes }: Rig): Promise<PageReply> {
  const page = await browser.get(`${passkeys}/new`)
  const passkey = new SoftwarePasskey(site).create(readPasskeyOptions(page.text))
  const challenge = getHiddenField(page.text, 'challenge')
  const shown = await browser.submit(passkeys, { challenge, passkey, name: 'Blue key' })
  codes.push(...readRecoveryCodes(shown))
  return shown
}

async function removePasskey({ browser, confirm, codes }: Rig): Promise<PageReply> {
  const [, path = ''] = /href="([^"]*\/remove)"/.exec((await browser.get(security)).text) ?? []
  return await confirm(path, { code: codes.pop() ?? '' })
}

async function setUp({ browser, codes }: Rig): Promise<PageReply> {
  codes.push(...(await setUpApp(browser, Date.now)).recoveryCodes)
  return await browser.get(security)
}

async function replaceCodes({ confirm, codes }: Rig): Promise<PageReply> {
  const shown = await confirm(`${security}/recovery-codes`, { code: codes.pop() ?? '' })
  codes.splice(0, codes.length, ...readRecoveryCodes(shown))
  return shown
}

async function endSession({ browser, signIn, readNew }: Rig): Promise<PageReply> {
  await signIn()
  await readNew()
  const { text: page } = await browser.get(security)
  const [, path = ''] = /action="([^"]*\/end)"/.exec(page) ?? []
  return await browser.submit(path)
}

async function endOthers({ browser, signIn, readNew }: Rig): Promise<PageReply> {
  await signIn()
  await signIn()
  await readNew()
  return await browser.submit(`${security}/sessions/end-others`)
}

async function sendMany({ browser }: Rig, path: string, fields: object): Promise<PageReply> {
  const batch = getHiddenField((await browser.get(path)).text, 'batch')
  const form = { ...{ batch, send_on: '', zone: 'UTC', template: '' }, ...fields }
  const page = await browser.submit(path, { ...form, do: 'check' })
  return await browser.submit(path, {
    ...{ ...form, do: 'send' },
    checked: getHiddenField(page.text, 'checked'),
  })
}

async function sendToContacts(rig: Rig): Promise<PageReply> {
  await rig.client.contacts.create({ number, name: 'Robin', fields: {}, groups: [] })
  await rig.readNew()
  return await sendMany(rig, '/send/contacts', { to: 'all', numbers: '', text })
}

async function retry({ browser, url, ann, readNew }: Rig): Promise<PageReply> {
  const phone = openPhone(url, ann)
  const message = await phone.messages.next()
  await phone.messages.reportFailure(message?.id ?? '', { error_message: 'busy' })
  await readNew()
  return await browser.submit(`/messages/${message?.id}/retry`)
}

const remove = 'second_factor.remove'

const steps: readonly Step[] = [
  {
    route: `${security}/sessions/:id/end`,
    run: endSession,
    entries: [{ action: 'person.end_session', detail: 'node' }],
  },
  {
    route: `${security}/sessions/end-others`,
    run: endOthers,
    entries: [{ action: 'person.end_sessions', detail: '2 sessions' }],
  },
  {
    route: `${passkeys}/new`,
    run: async ({ browser }) => await browser.submit(`${passkeys}/new`, { password }),
    entries: [{ action: 'person.confirm_password' }],
  },
  {
    route: passkeys,
    run: addPasskey,
    entries: [{ action: 'second_factor.add', detail: 'passkey Blue key' }],
  },
  {
    route: `${passkeys}/:id/remove`,
    run: removePasskey,
    entries: [{ action: remove, detail: 'passkey Blue key' }],
  },
  {
    route: `${security}/authenticator`,
    run: setUp,
    entries: [{ action: 'second_factor.add', detail: 'authenticator app' }],
  },
  {
    route: `${security}/recovery-codes`,
    run: replaceCodes,
    entries: [{ action: 'second_factor.replace_codes' }],
  },
  {
    route: `${security}/authenticator/remove`,
    run: async ({ confirm, codes }) =>
      await confirm(`${security}/authenticator/remove`, { code: codes.pop() ?? '' }),
    entries: [{ action: remove, detail: 'authenticator app' }],
  },
  {
    route: '/send/many',
    run: async rig => await sendMany(rig, '/send/many', { table, text: '' }),
    entries: [],
  },
  { route: '/send/contacts', run: sendToContacts, entries: [] },
  { route: '/messages/:id/retry', run: retry, entries: [{ action: 'message.retry' }] },
  {
    route: `${security}/sessions/end-all`,
    run: async ({ browser }) => await browser.submit(`${security}/sessions/end-all`),
    entries: [{ action: 'person.end_sessions', detail: 'all' }],
  },
]

test('forms of sign-ins and of many messages leave the entries of their changes', async () => {
  const rig = await start()
  for (const { route, run, entries } of steps) {
    const reply = await run(rig)
    expect(reply.status, `${route}: ${reply.text}`).toBe(200)
    expect(await rig.readNew(), route).toMatchObject(entries)
  }
  expect((await rig.client.messages.list({ filter: 'all', count: 9 })).length).toBe(2)
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  const forms = Object.entries(createPages(anything as PageSender)).filter(([, each]) => each.POST)
  const own = forms.map(([route]) => route).filter(route => route.startsWith(`${security}/`))
  const covered = new Set(steps.map(({ route }) => route))
  expect(own.filter(route => !covered.has(route))).toEqual([])
  expect(findPlanted(await rig.readAll(), [number, text, password, ...rig.codes])).toEqual([])
})
