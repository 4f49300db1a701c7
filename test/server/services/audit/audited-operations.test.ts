import { expect, test } from 'vitest'
import { type OperationId, operations } from '../../../../src/contract/api/operations.js'
import { resourceOperations } from '../../../../src/contract/api/resource-operations.js'
import { Browser } from '../../dashboard/browser.js'
import { annEmail, openPhone, password } from '../../dashboard/dashboard-relay.js'
import { fetchToken, invite } from '../../dashboard/people/people-rig.js'
import { setUpApp } from '../../dashboard/security/second-factor.js'
import { findPlanted } from '../../log/planted-values.js'
import { type ApiRequest, startAudited } from './audit-rig.js'

const number = '+12025550187'
const text = 'a planted text'
const hook = 'http://127.0.0.1:1/planted-path?planted=query'

interface Step extends ApiRequest {
  /** What its entry must have. */
  readonly entry: object
  /** Where the reply has an identifier for later requests. */
  readonly keeps?: Readonly<Record<string, string>>
}

const person = { kind: 'person', id: expect.any(String), name: 'sam@example.com' }
const subscription = {
  ...{ kind: 'subscription', id: expect.any(String), name: 'message.create to 127.0.0.1:1' },
}
const contact = { number, name: 'Robin', fields: { city: text } }

/** What each operation that changes something leaves in the audit log, in a working order. */
const steps: Partial<Record<OperationId, Step>> = {
  editSettings: {
    body: { help_text: text },
    entry: { action: 'account.change', detail: 'helpText' },
  },
  addDoNotText: { body: { number, note: text }, entry: { action: 'do_not_text.add' } },
  importDoNotText: {
    body: { entries: [{ number: '+12025550188', note: text }] },
    entry: { action: 'do_not_text.import', detail: '1 number' },
  },
  removeDoNotText: { path: encodeURIComponent(number), entry: { action: 'do_not_text.remove' } },
  createSecretUrl: {
    body: { name: 'Door', destination: [number] },
    keeps: { secretUrl: 'url' },
    entry: { action: 'secret_url.create', target: { kind: 'secret_url', name: 'Door' } },
  },
  revokeSecretUrl: {
    path: '$secretUrl',
    entry: { action: 'secret_url.revoke', target: { kind: 'secret_url', name: 'Door' } },
  },
  addContact: {
    body: contact,
    entry: { action: 'contact.create', target: { kind: 'contact', name: 'Robin' } },
  },
  editContact: {
    path: encodeURIComponent(number),
    body: { name: 'Robin Day' },
    entry: { action: 'contact.change', target: { name: 'Robin Day' }, detail: 'name' },
  },
  importContacts: {
    body: { contacts: [contact] },
    entry: { action: 'contact.import', detail: '0 added, 1 changed' },
  },
  deleteContact: {
    path: encodeURIComponent(number),
    entry: { action: 'contact.delete', target: { kind: 'contact', name: 'Robin' } },
  },
  createSubscription: {
    body: { event: 'message.create', url: hook },
    keeps: { subscription: 'subscription' },
    entry: {
      action: 'subscription.create',
      target: subscription,
    },
  },
  editSubscription: {
    path: '$subscription',
    body: { event: 'message.create', url: `${hook}2` },
    entry: { action: 'subscription.change', target: subscription },
  },
  rotateSigningSecret: { entry: { action: 'signing_secret.replace' } },
  rotateSubscriptionSecret: {
    path: '$subscription',
    entry: { action: 'signing_secret.replace', target: subscription },
  },
  removeSubscriptionSecret: {
    path: '$subscription',
    entry: { action: 'signing_secret.remove', target: subscription },
  },
  testSubscription: {
    path: '$subscription',
    entry: { action: 'subscription.test', target: subscription },
  },
  pauseSubscription: {
    path: '$subscription',
    entry: { action: 'subscription.pause', target: subscription },
  },
  skipEvent: {
    path: '$subscription',
    body: {},
    entry: { action: 'subscription.skip', target: subscription },
  },
  resendEvent: {
    path: '$subscription',
    entry: {
      action: 'delivery.resend',
      target: subscription,
      detail: expect.stringMatching(/^event \d+$/),
    },
  },
  replayEvents: {
    path: '$subscription',
    body: { from: '$event' },
    entry: { action: 'subscription.replay', detail: expect.stringMatching(/^from \d+$/) },
  },
  resumeSubscription: {
    path: '$subscription',
    entry: { action: 'subscription.resume', target: subscription },
  },
  deleteSubscription: {
    path: '$subscription',
    entry: { action: 'subscription.delete', target: subscription },
  },
  editAccountLimits: {
    path: annEmail,
    body: { messages_per_day: 1000 },
    entry: { action: 'account.set_limits', detail: 'messagesPerDay' },
  },
  createInvitation: {
    body: { email: 'eve@example.com', role: 'reader' },
    keeps: { invitation: 'invitation' },
    entry: { action: 'person.invite', target: { name: 'eve@example.com' }, detail: 'reader' },
  },
  revokeInvitation: {
    path: '$invitation',
    entry: { action: 'invitation.revoke', target: { name: 'eve@example.com' } },
  },
  editPerson: {
    path: '$person',
    body: { role: 'sender' },
    entry: { action: 'person.change_role', target: person, detail: 'sender' },
  },
  resetSecondFactor: {
    path: '$person',
    entry: { action: 'second_factor.reset', target: person },
  },
  removePerson: { path: '$person', entry: { action: 'person.remove', target: person } },
  forgetPhone: {
    path: 'desk',
    entry: { action: 'phone.forget', target: { kind: 'phone', name: 'desk' } },
  },
}

/** What people change at messages; programs and phones do so without an entry. */
const messageSteps: Partial<Record<OperationId, Step>> = {
  editMessage: { body: { message: { message: `${text} 2` } }, entry: { action: 'message.change' } },
  lockMessage: { entry: { action: 'message.lock' } },
  unlockMessage: { entry: { action: 'message.unlock' } },
  deleteMessage: { entry: { action: 'message.delete' } },
  undeleteMessage: { entry: { action: 'message.undelete' } },
}

const unaudited = /^(createMessages?|nextMessage|report\w+|releaseMessage|retryMessage)$/

test('every changing operation leaves one entry, without secrets, texts and numbers', async () => {
  const { url, ann, client, openBrowser, ids, call, readNew, readAll } = await startAudited()
  const token = await fetchToken(url, annEmail)
  const { access_token: apiToken } = await issueToken(url, ann.secret_key, ann.api_key)
  await openPhone(url, ann, { name: 'desk', driver: 'simulate' }).messages.next()
  ids.person = await joinPerson(await openBrowser(), url)
  await readNew()
  for (const [id, { entry, keeps = {}, ...request }] of Object.entries(steps)) {
    if (id === 'skipEvent') {
      await call(apiToken, 'createMessage', newMessage)
      ids.event = String((await client.events.list({ after: -1 })).last)
    }
    const reply = await call(token, id as OperationId, request)
    for (const [name, path] of Object.entries(keeps)) ids[name] = reply[path]?.id ?? ''
    const actor = { kind: 'person', id: ann.id, name: annEmail }
    const origin = { account: ann.id, refused: false, address: '127.0.0.1', device: 'node' }
    const request_id = { request: expect.stringMatching(/./) }
    expect(await readNew(), id).toMatchObject([{ ...entry, actor, ...origin, ...request_id }])
  }
  const { message } = await call(apiToken, 'createMessage', newMessage)
  for (const [id, { entry, ...request }] of Object.entries(messageSteps)) {
    const own = { path: message?.id ?? '', ...request }
    await call(token, id as OperationId, own)
    const target = { kind: 'message', id: message?.id }
    expect(await readNew(), id).toMatchObject([{ ...entry, target }])
    await call(apiToken, 'createMessage', newMessage)
    expect(await readNew()).toEqual([])
  }
  await call(apiToken, 'lockMessage', { path: message?.id ?? '' })
  expect(await readNew()).toEqual([])
  const changing = Object.entries(operations).filter(([, { method }]) => method !== 'GET')
  const missing = changing.filter(
    ([id]) =>
      ![steps, messageSteps, resourceOperations].some(each => id in each) && !unaudited.test(id),
  )
  expect(missing.map(([id]) => id)).toEqual([])
  const planted = [number, number.slice(1), text, 'planted', password, ann.app_key, token]
  expect(findPlanted(await readAll(), planted)).toEqual([])
})

/** Lets somebody join; resolves to the identifier. */
async function joinPerson(admin: Browser, url: string): Promise<string> {
  const link = await invite(admin, 'sam@example.com', 'reader')
  const sam = new Browser(url)
  await sam.post(link, { new_password: password, repeated: password })
  await sam.signIn('sam@example.com', password)
  await setUpApp(sam, Date.now)
  const { text: page } = await admin.get('/settings/people')
  return /people\/([^/"]*)\/role/.exec(page)?.[1] ?? ''
}

const newMessage = { body: { message: { destination: '+12025550143', message: text } } }

async function issueToken(url: string, user: string, secret: string) {
  const Authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  const reply = await fetch(`${url}/oauth`, { headers: { Authorization } })
  return (await reply.json()) as { access_token: string }
}
