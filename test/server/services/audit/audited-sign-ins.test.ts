import { expect, test } from 'vitest'
import { Browser } from '../../dashboard/browser.js'
import {
  annEmail,
  bobEmail,
  ownRelay,
  password,
  requestToken,
} from '../../dashboard/dashboard-relay.js'
import { fetchToken, invite } from '../../dashboard/people/people-rig.js'
import { startAudited } from './audit-rig.js'

test('a sign-in leaves one entry, and tokens of a key one an hour', async () => {
  const { url, ann, readNew } = await startAudited()
  await readNew()
  await new Browser(url).signIn(annEmail, password)
  const person = { kind: 'person', name: annEmail }
  const origin = { address: '127.0.0.1', device: 'node', refused: false }
  expect(await readNew()).toMatchObject([
    { action: 'person.sign_in', account: ann.id, actor: { ...person, id: ann.id }, ...origin },
  ])
  const token = await fetchToken(url, annEmail.toUpperCase())
  expect(await readNew()).toMatchObject([{ action: 'person.sign_in', detail: 'User Login token' }])
  for (let at = 0; at < 3; at += 1) await requestToken(url, ann.secret_key, ann.app_key)
  const actor = { kind: 'key', name: 'Application key' }
  expect(await readNew()).toMatchObject([{ action: 'token.issue', actor }])
  await fetch(`${url}/oauth/revoke?token=${token}`)
  expect(await readNew()).toMatchObject([{ action: 'token.revoke', actor: { id: ann.id } }])
})

test('sign-ins are events of the account, for those who ask for them by name', async () => {
  const { url, client, openBrowser } = await startAudited(ownRelay)
  await openBrowser()
  for (let at = 0; at < 12; at += 1) await requestToken(url, annEmail, 'wrong')
  const names = ['person.signed_in', 'person.sign_in_refused'] as const
  const { events } = await client.events.list({ events: names })
  expect(events.map(({ event }) => event)).toEqual(names)
  const entries = events.map(async ({ audit }) => await client.audit.get(audit?.id ?? ''))
  const action = { action: 'person.sign_in', actor: { name: annEmail } }
  const expected = [false, true].map(refused => ({ ...action, refused }))
  expect(await Promise.all(entries)).toMatchObject(expected)
  expect((await client.events.list()).events).toEqual([])
})

test('refused sign-ins leave one entry an hour, and those to no account none', async () => {
  const { url, ann, readNew } = await startAudited(ownRelay)
  await readNew()
  for (let at = 0; at < 13; at += 1) {
    await requestToken(url, annEmail, 'wrong')
    await requestToken(url, 'nobody@example.com', 'wrong')
  }
  const refused = { action: 'person.sign_in', refused: true, account: ann.id }
  expect(await readNew()).toMatchObject([{ ...refused, actor: { name: annEmail } }])
})

test('an administrator on the machine, and somebody who joins, leave entries', async () => {
  const { url, administration, openBrowser, readNew } = await startAudited()
  const browser = await openBrowser()
  const bob = await administration.createAccount({ email: bobEmail, password })
  await readNew()
  await administration.changeAccount(bobEmail, { country: 'DE' })
  await administration.rotateKeys(bobEmail, 'api')
  await administration.setPassword(bobEmail)
  await administration.addDoNotText('+12025550187')
  await administration.deleteAccount(bobEmail)
  const actor = { kind: 'administration' }
  expect(await readNew()).toMatchObject([
    { action: 'account.change', account: bob.id, actor, detail: 'country' },
    { action: 'key.replace', account: bob.id, actor, detail: 'api' },
    { action: 'account.set_password', account: bob.id, actor },
    { action: 'do_not_text.add', account: '*', actor },
    { action: 'account.delete', account: bob.id, actor, target: { name: bobEmail } },
  ])
  const link = await invite(browser, 'eve@example.com', 'sender')
  await readNew()
  await new Browser(url).post(link, { new_password: password, repeated: password })
  expect(await readNew()).toMatchObject([
    { action: 'person.join', actor: { kind: 'invitation', name: 'eve@example.com' } },
  ])
})
