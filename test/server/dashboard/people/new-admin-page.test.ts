import { expect, test } from 'vitest'
import type { Role } from '../../../../src/domain/account/person.js'
import { type Browser, getHiddenField, getShownSecret, readRows } from '../browser.js'
import { password, startRelay } from '../dashboard-relay.js'
import { setUpApp } from '../security/second-factor.js'
import { invite, joinAccount } from './people-rig.js'

const people = '/settings/people'
const minute = 60_000
const guestEmail = 'guest@example.com'
const asAdmin = { email: guestEmail, role: 'admin' }

/** Ann is signed in; the sender is in her account. */
async function start() {
  let now = Date.UTC(2030, 0, 1)
  const relay = await startRelay({}, { now: () => now })
  const ann = await relay.openBrowser()
  const advanceTime = (milliseconds: number) => {
    now += milliseconds
  }
  const link = await invite(ann, 'sam@example.com', 'sender')
  const sam = await joinAccount(relay.url, link, 'sam@example.com')
  const { text } = await ann.get(people)
  const [rolePath = ''] = /\/settings\/people\/[^/"]+\/role/.exec(text) ?? []
  const setRole = async (role: Role, fields = {}) => await ann.submit(rolePath, { role, ...fields })
  return { ...relay, ann, sam, setRole, rolePath, advanceTime, now: () => now }
}

/** E-mail addresses and roles of people and invitations, without the account itself. */
async function listRoles(browser: Browser): Promise<string[]> {
  const { text } = await browser.get(people)
  const selected = [...text.matchAll(/<option value="(\w+)" selected/g)].map(([, role]) => role)
  const rows = readRows(text).slice(1)
  return rows.map(([email], at) => `${email} ${selected[at]}`)
}

test('a session alone invites no admin, and asks for the password with the input', async () => {
  const { ann } = await start()
  const before = await listRoles(ann)
  const asked = await ann.submit(people, asAdmin)
  expect(asked.text).toContain(`<h1>Invite ${guestEmail} as an admin</h1>`)
  const wrong = await ann.submit(people, { ...asAdmin, password: 'wrong' })
  expect([wrong.status, Object.keys(wrong.errors)]).toEqual([403, ['password']])
  for (const { text } of [asked, wrong]) {
    expect(getShownSecret(text, 'invitation-link')).toBe('')
    const input = { email: getHiddenField(text, 'email'), role: getHiddenField(text, 'role') }
    expect(input).toEqual(asAdmin)
  }
  expect(await listRoles(ann)).toEqual(before)
  const invited = await ann.submit(people, { ...asAdmin, password })
  expect(getShownSecret(invited.text, 'invitation-link')).toContain('/invitation/sri_')
  const audit = readRows((await ann.get('/audit')).text).map(cells => cells.join(' '))
  expect(audit.filter(each => each.includes('for /settings/people'))).toHaveLength(1)
})

test('a session alone makes nobody an admin, but takes the role away', async () => {
  const { ann, sam, setRole, advanceTime } = await start()
  const asked = await setRole('admin')
  expect(asked.text).toContain('<h1>Give sam@example.com the role admin</h1>')
  expect(getHiddenField(asked.text, 'role')).toBe('admin')
  expect((await setRole('admin', { password: 'wrong' })).status).toBe(403)
  expect((await sam.get(people)).status).toBe(403)
  expect((await setRole('admin', { password })).notice?.kind).toBe('done')
  expect((await sam.get(people)).status).toBe(200)
  advanceTime(10 * minute)
  expect((await setRole('admin')).notice?.text, 'is one already').toContain('role admin now')
  expect((await setRole('reader')).notice?.text).toContain('role reader now')
  expect((await setRole('sender')).notice?.text).toContain('role sender now')
  expect(await listRoles(ann)).toEqual(['sam@example.com sender'])
})

test('the password is asked once in ten minutes, together with that for the keys', async () => {
  const { ann, setRole, advanceTime } = await start()
  await ann.submit('/settings/keys', { password })
  advanceTime(9 * minute)
  expect(getShownSecret((await ann.submit(people, asAdmin)).text, 'invitation-link')).not.toBe('')
  expect((await setRole('admin')).notice?.kind).toBe('done')
  await setRole('reader')
  advanceTime(minute)
  expect((await setRole('admin')).text).toContain('Your password')
  await setRole('admin', { password })
  expect((await ann.submit(people, asAdmin)).text).toContain('invitation-link')
})

test('a second factor is asked for with the password', async () => {
  const { ann, setRole, now, advanceTime } = await start()
  const { app } = await setUpApp(ann, now)
  advanceTime(minute)
  expect((await setRole('admin')).text).toContain('name="code"')
  const wrong = await setRole('admin', { password })
  expect([wrong.status, Object.keys(wrong.errors)]).toEqual([403, ['code']])
  expect((await setRole('admin', { password, code: app.code() })).notice?.kind).toBe('done')
})

test('an address that cannot be invited is refused before the password is asked', async () => {
  const { ann } = await start()
  for (const email of ['', 'nobody', 'SAM@example.com', 'ann@example.com']) {
    const refused = await ann.submit(people, { email, role: 'admin' })
    expect(Object.keys(refused.errors), email).toEqual(['email'])
    expect(refused.text).toMatch(/<option value="admin" selected/)
  }
})
