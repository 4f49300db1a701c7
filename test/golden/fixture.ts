import { expect, onTestFinished } from 'vitest'
import { RelayClient } from '../../src/client/relay-client.js'
import { createClock } from '../../src/util/async/clock.js'
import { openReceiver } from '../conformance/receiver.js'
import { createRelay } from '../quick-relay.js'
import { temporaryFolder } from '../temporary-folder.js'

export const password = 'correct horse battery'

const later = '2099-12-31 12:00:00'

/** A relay at noon of a fixed day, with the same identifiers in each run and nothing in it. */
export async function startFixedRelay() {
  const { url: receiver } = await openReceiver(() => ({ status: 204 }))
  const dataDir = await temporaryFolder()
  const begin = Date.now()
  const now = () => Date.UTC(2027, 0, 4, 12, 0, 1) + Date.now() - begin
  const clock = { ...createClock(), now }
  let ids = 0
  const relay = await createRelay(
    { dataDir, port: 0, baseUrl: 'https://relay.example.com', hookAllow: ['127.0.0.0/8'] },
    {
      clock,
      newId: () => `01942c5e-2900-7000-8000-${String(++ids).padStart(12, '0')}`,
      version: '0.0.0',
    },
  )
  await relay.start()
  onTestFinished(async () => await relay.stop())
  const owner = await relay.administration.createAccount({ email: 'ann@example.com', password })
  const open = (user: string, secret: string, phone?: string) =>
    new RelayClient({
      url: relay.url,
      credentials: { user, password: secret },
      phone: phone === undefined ? undefined : { name: phone, driver: 'simulate' },
    })
  const client = open(owner.secret_key, owner.api_key)
  const phone = open(owner.secret_key, owner.app_key, 'attic')
  return { relay, owner, client, phone, dataDir, receiver, clock }
}

export type FixedRelay = Awaited<ReturnType<typeof startFixedRelay>>

/** Puts one or two of everything into the owner's account; returns their identifiers. */
export async function fillRelay({ relay, client, phone, receiver }: FixedRelay) {
  const create = async (destination: string, send_on?: string) =>
    (await client.messages.create({ destination, message: `Hello ${destination}`, send_on })).id
  const subscription = await client.subscriptions.create({ event: 'message.sent', url: receiver })
  await client.doNotText.add('+12025550199', { note: 'A landline' })
  await create('+12025550199')
  const sent = await create('+12025550110')
  await phone.messages.next()
  await phone.messages.reportSuccess(sent, { parts: 1 })
  await create('+12025550111')
  const failed = await phone.messages.next()
  await phone.messages.reportFailure(failed?.id ?? '', {
    error_message: 'The number is not in service',
  })
  await client.messages.delete(await create('+12025550112', later))
  await client.messages.lock(await create('+12025550113', later))
  const message = await create('+12025550114', later)
  await phone.receivedTexts.report({ from: '+12025550114', message: 'Yes', phone: 'attic' })
  await phone.receivedTexts.report({ from: '+12025550115', message: 'STOP', phone: 'attic' })
  const findStatus = async () =>
    (await client.subscriptions.listDeliveries(subscription.id))[0]?.status
  await expect.poll(findStatus).toBe(204)
  await client.subscriptions.rotateSecret(subscription.id)
  await client.subscriptions.test(subscription.id)
  await client.contacts.create({
    ...{ number: '+12025550114', name: 'Bea', fields: { room: '12' }, groups: ['All'] },
  })
  const [group] = await client.groups.list()
  const template = await client.templates.create({ name: 'Visit', text: 'Hello {name}' })
  const link = await client.secretUrls.create({ name: 'Door', message: 'Ding', confirm: true })
  const mailbox = await client.mailboxes.create({ name: 'Alerts' })
  const other = await relay.administration.createAccount({ email: 'bob@example.com', password })
  const invitation = await relay.administration.invitePerson({
    ...{ account: 'ann@example.com', email: 'cat@example.com', role: 'reader', url: relay.url },
  })
  return {
    ids: {
      ...{ messages: message, subscriptions: subscription.id, templates: template.id },
      ...{ retrying: failed?.id ?? '', mailboxes: mailbox.id },
      ...{ groups: group?.id ?? '', accounts: other.id, urls: link.id },
    } as Readonly<Record<string, string>>,
    link,
    invitation,
  }
}
