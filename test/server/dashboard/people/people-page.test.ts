import { expect, test } from 'vitest'
import { operations } from '../../../../src/contract/api/operations.js'
import type { Role } from '../../../../src/domain/account/person.js'
import { createPages } from '../../../../src/server/dashboard/dashboard-pages.js'
import type { PageSender } from '../../../../src/server/dashboard/page/page-sender.js'
import { Browser, readRows } from '../browser.js'
import { bobEmail, password, startRelay } from '../dashboard-relay.js'
import { emails, fetchToken, invite, startWithPeople } from './people-rig.js'

test('an invited reader joins once by the link, and gets no further than the role', async () => {
  const relay = await startRelay()
  await relay.administration.createAccount({ email: bobEmail, password })
  const [ann, bob] = [await relay.openBrowser(), await relay.openBrowser(bobEmail)]
  const link = await invite(ann, emails.reader, 'reader')
  expect((await bob.get('/settings/people')).text).not.toContain(emails.reader)
  const guest = new Browser(relay.url)
  expect((await guest.get(link)).text).toContain(`You are invited to the account ann@example.com`)
  const join = async (chosen: string, repeated = chosen) =>
    await guest.post(link, { new_password: chosen, repeated })
  expect((await join('trustno1')).errors).toHaveProperty('new_password')
  expect((await join(password, 'other')).errors).toHaveProperty('repeated')
  expect((await join(password)).path).toBe('/login')
  expect((await join(password)).status).toBe(404)
  expect((await guest.get(link)).status).toBe(404)
  const overview = await guest.signIn(emails.reader.toUpperCase(), password)
  expect(overview.text).toContain('>Reader<')
  expect(overview.text).not.toMatch(/href="\/(send|settings\/(people|keys)|urls|accounts)"/)
  const forms = [
    ...(await guest.get('/do-not-text')).text.matchAll(/method="post" action="(.*?)"/g),
  ]
  expect(forms.map(([, action]) => action)).toEqual(['/logout'])
  const refused = await guest.submit('/do-not-text', { number: '+12025550123' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('Your role is reader; this needs the role sender.')
  expect(refused.text).toContain('Ask an admin, such as ann@example.com,')
  expect(refused.text).toContain('Not allowed')
  const people = readRows((await ann.get('/settings/people')).text)
  expect(people.map(([email]) => email)).toEqual(['ann@example.com', emails.reader])
})

test('an invitation is revoked, replaced, and refused for an address that signs in', async () => {
  const { openBrowser, url } = await startRelay()
  const ann = await openBrowser()
  const first = await invite(ann, emails.sender, 'sender')
  const second = await invite(ann, emails.sender, 'reader')
  const guest = new Browser(url)
  expect((await guest.get(first)).status).toBe(404)
  const { text } = await ann.get('/settings/people')
  const [, revoke = ''] = /action="(\/settings\/people\/invitations\/[^"]*)"/.exec(text) ?? []
  expect((await ann.submit(revoke)).notice?.kind).toBe('done')
  expect((await guest.get(second)).status).toBe(404)
  expect((await ann.submit(revoke)).notice?.kind).toBe('failed')
  const taken = { email: 'ANN@example.com', role: 'reader' }
  const { errors } = await ann.submit('/settings/people', taken)
  expect(errors).toEqual({ email: 'ANN@example.com already signs in to an account.' })
})

test('a changed role limits a session at once, and a removal ends it and its tokens', async () => {
  const { url, annBrowser, browsers } = await startWithPeople()
  const { text } = await annBrowser.get('/settings/people')
  const ids = [...text.matchAll(/action="\/settings\/people\/([^"/]*)\/role"/g)].map(m => m[1])
  const [reader, sender] = ids
  const token = await fetchToken(url, emails.sender)
  const headers = { Authorization: `Bearer ${token}` }
  const list = async () => (await fetch(`${url}/api/1/message`, { headers })).status
  expect((await browsers.sender.get('/send')).status).toBe(200)
  await annBrowser.submit(`/settings/people/${sender}/role`, { role: 'reader' })
  expect((await browsers.sender.get('/send')).status).toBe(403)
  expect(await list()).toBe(200)
  await annBrowser.submit(`/settings/people/${sender}/remove`)
  expect(await list()).toBe(401)
  expect((await browsers.sender.get('/')).path).toMatch(/^\/login/)
  expect((await browsers.sender.signIn(emails.sender, password)).status).toBe(403)
  expect((await browsers.reader.submit(`/settings/people/${reader}/role`)).status).toBe(403)
})

test('people change their own password and address, and those of the account stay', async () => {
  const { browsers, url } = await startWithPeople()
  const { reader } = browsers
  const next = 'four other random words'
  const form = { password, new_password: next, repeated: next }
  expect((await reader.submit('/settings/password', form)).path).toBe('/settings')
  const email = 'new@example.com'
  expect((await reader.submit('/settings/email', { email, password: next })).status).toBe(200)
  expect((await new Browser(url).signIn(email, next)).status).toBe(200)
  expect((await new Browser(url).signIn('ann@example.com', password)).status).toBe(200)
})

const readable = [
  /^\/(live|results\/:id)?$/,
  /^\/(messages|messages\.csv|messages\/(:id|scheduled)|conversations(\/:number)?|received)$/,
  /^\/(do-not-text|do-not-text\/export|phones|phones\/:name)$/,
  /^\/settings(\/email|\/password|\/security.*|\/sessions.*)?$/,
  /^\/(contacts|groups|templates|scheduled|statistics)\b(?!.*import|.*groups\/:id)/,
]
const own = /^\/settings\/(email|password|theme|security.*|sessions.*)$/
const sending =
  /^\/(send|messages|conversations|do-not-text|received|contacts|groups|templates|scheduled)\b/

/** Whether a role can use a page or form, as the documentation says. */
function canUse(role: Role, method: string, path: string): boolean {
  if (role === 'admin' || own.test(path)) return true
  if (method === 'GET' && readable.some(each => each.test(path))) return true
  return role === 'sender' && sending.test(path)
}

test('every page and form is open to exactly the roles that it is for', async () => {
  const { browsers } = await startWithPeople()
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  const pages = Object.entries(createPages(anything as PageSender))
  const wrong: string[] = []
  for (const [path, methods] of pages) {
    for (const method of Object.keys(methods)) {
      const address = path.replace(/:\w+/g, 'none')
      // They end the session, or do not end by themselves.
      if (/sessions|\/live/.test(address)) continue
      for (const role of ['reader', 'sender', 'admin'] as const) {
        const browser = browsers[role]
        const { status, text } = await (method === 'GET'
          ? browser.get(address)
          : browser.submit(address))
        const isForbidden = status === 403 && text.includes('this needs the role')
        if (isForbidden === canUse(role, method, path)) wrong.push(`${role} ${method} ${path}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(pages.length).toBeGreaterThan(50)
})

const adminReads =
  /^getUserApp$|Secret|Subscription|Mailboxes|Deliveries|Audit|AccountLimits|People|Invitation/
const senderWrites = /Message|DoNotText|^report|Contact|Group|Template/

test('every operation of the API is open to exactly the roles that it is for', async () => {
  const { url } = await startWithPeople()
  const wrong: string[] = []
  for (const role of ['reader', 'sender', 'admin'] as const) {
    const headers = { Authorization: `Bearer ${await fetchToken(url, emails[role])}` }
    for (const [id, { method, path, scope }] of Object.entries(operations)) {
      if (scope === 'app' || id === 'listEvents') continue
      const address = `${url}${path.replace(/:\w+/g, 'none')}`
      const reply = await fetch(address, { method, headers })
      const { error } = (await reply.json()) as { error?: string }
      const isSender = role === 'sender' && (method === 'GET' || senderWrites.test(id))
      const isReader = role === 'reader' && method === 'GET'
      const canCall = role === 'admin' || ((isSender || isReader) && !adminReads.test(id))
      if ((error === 'forbidden') === canCall) wrong.push(`${role} ${id}: ${error}`)
    }
  }
  expect(wrong).toEqual([])
})

test('who is invited at an address that somebody else took joins with another', async () => {
  const { administration, openBrowser, url } = await startRelay()
  const link = await invite(await openBrowser(), bobEmail, 'reader')
  await administration.createAccount({ email: bobEmail, password })
  const guest = new Browser(url)
  const join = async (email: string) =>
    await guest.post(link, { email, new_password: password, repeated: password })
  for (const email of [bobEmail, 'x,y@example.com']) {
    const refused = await join(email)
    expect([refused.path, refused.status]).toEqual([link, 400])
    expect(refused.errors).toEqual({ email: expect.stringContaining('Choose another one.') })
  }
  expect((await join('bob+work@example.com')).path).toBe('/login')
  await guest.signIn('bob+work@example.com', password)
})
