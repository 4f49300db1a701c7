import type { NewAccount } from '../../../src/contract/account-schema.js'
import { type DashboardService, openClient, openPhone } from './dashboard-service.js'

/** Markup that sets `self.xss` if it runs. It has no spaces, so that URLs can contain it. */
export const payload = '"><img/class=xss/src=x/onerror=self.xss=1>'

/** Markup that also breaks out of elements that contain only text. */
const longPayload =
  `</textarea></title></script>'>${payload}<svg/onload=self.xss=1>` +
  '{{7*7}} javascript:self.xss=1'

const later = '2099-12-31 12:00:00'

/** As much markup as an address can have (RFC 5321, section 4.1.2, a dot-atom). */
export const payloadEmail = "'{{7*7}}&lt/self.xss=1`@example.com"

/** The identifiers of an account's resources. */
export interface PayloadResources {
  readonly messages: readonly string[]
  readonly subscription: string
  readonly secretUrl: string
  readonly mailbox: string
  readonly group: string
  readonly template: string
  /** The name of a phone. */
  readonly phone: string
}

/** Puts payloads into every field that others can fill, with messages in every status. */
export async function fillWithPayloads(
  service: DashboardService,
  account: NewAccount,
): Promise<PayloadResources> {
  const client = openClient(service, account)
  const messages = await createMessagesInEveryState(service, account)
  await client.editSettings({ help_text: longPayload, stop_text: longPayload })
  const phone = openPhone(service, account, payload)
  await phone.receivedTexts.report({ from: payload, message: longPayload, phone: payload })
  await phone.receivedTexts.report({ from: '+12025550115', message: 'STOP' })
  const url = `http://127.0.0.1:9/?x=${payload}`
  const subscription = await client.subscriptions.create({ event: 'message.received', url })
  await client.subscriptions.rotateSecret(subscription.id)
  await openPhone(service, account, 'attic').status.reportPresence()
  const name = longPayload.slice(0, 100)
  const secretUrl = await client.secretUrls.create({ name, message: longPayload })
  const mailbox = await client.mailboxes.create({ name })
  return {
    messages,
    subscription: subscription.id,
    secretUrl: secretUrl.id,
    mailbox: mailbox.id,
    ...(await createContacts(client)),
    phone: 'attic',
  }
}

/** Creates a contact with a payload in each field, its group and a template. */
async function createContacts({ contacts, groups, templates }: ReturnType<typeof openClient>) {
  const name = longPayload.replaceAll(/[,;]/g, '').slice(0, 90)
  const fields = { [payload.slice(0, 20).toLowerCase()]: longPayload.slice(0, 100) }
  await contacts.create({ number: '+12025550113', name, fields, groups: [name] })
  const [group] = await groups.list()
  const template = await templates.create({ name, text: payload })
  return { group: group?.id ?? '', template: template.id }
}

/** Creates messages: blocked, new, locked, deleted, sent and failed. */
async function createMessagesInEveryState(
  service: DashboardService,
  account: NewAccount,
): Promise<string[]> {
  const { messages, doNotText } = openClient(service, account)
  const phone = openPhone(service, account, payload)
  const create = async (destination: string, send_on?: string): Promise<string> => {
    const time = send_on === undefined ? {} : { send_on }
    return (await messages.create({ destination, message: longPayload, ...time })).id
  }
  await doNotText.add('+12025550199', { note: longPayload })
  const blocked = await create('+12025550199')
  const waiting = await create('+12025550110', later)
  const locked = (await messages.lock(await create('+12025550111', later))).id
  const deleted = await create('+12025550112', later)
  await messages.delete(deleted)
  const sent = await create('+12025550113')
  await phone.messages.next()
  await phone.messages.reportSuccess(sent, { parts: 1 })
  const failed = await create('+12025550114')
  await phone.messages.next()
  await phone.messages.reportFailure(failed, { error_message: longPayload })
  return [blocked, waiting, locked, deleted, sent, failed]
}
