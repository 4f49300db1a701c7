import type { NewAccount } from '../../../src/contract/account-schema.js'
import { type DashboardService, openClient, openPhone } from './world.js'

/** Markup that says so when it runs, or stands in a page as more than a text; without spaces, so that addresses may hold it. */
export const payload = '"><img/class=xss/src=x/onerror=self.xss=1>'

/** What breaks out of elements that hold texts only, too. */
const long = `</textarea></title></script>'>${payload}<svg/onload=self.xss=1>{{7*7}} javascript:self.xss=1`

const later = '2099-12-31 12:00:00'

/** An e-mail address that is markup. */
export const hostileEmail = `${payload}@example.com`

/** What an account has, by what pages show of it. */
export interface Belongings {
  readonly messages: readonly string[]
  readonly subscription: string
  readonly url: string
  readonly mailbox: string
}

/** Fills every field of an account that somebody else may fill with payloads; messages are in every state. */
export async function fillWithPayloads(
  world: DashboardService,
  account: NewAccount,
): Promise<Belongings> {
  const client = openClient(world, account)
  const messages = await createMessagesInEveryState(world, account)
  const phone = openPhone(world, account, payload)
  await phone.receivedTexts.report({ from: payload, message: long, phone: payload })
  await phone.receivedTexts.report({ from: '+12025550115', message: 'STOP' })
  const target = `http://127.0.0.1:9/?x=${payload}`
  const hook = await client.subscriptions.create({ event: 'message.received', url: target })
  const url = await client.secretUrls.create({ name: long.slice(0, 100), message: long })
  const mailbox = await client.mailboxes.create({ name: long.slice(0, 100) })
  return { messages, subscription: hook.id, url: url.id, mailbox: mailbox.id }
}

async function createMessagesInEveryState(
  world: DashboardService,
  account: NewAccount,
): Promise<string[]> {
  const client = openClient(world, account)
  const phone = openPhone(world, account, payload)
  const create = async (destination: string, send_on?: string): Promise<string> => {
    const due = send_on === undefined ? {} : { send_on }
    return (await client.messages.create({ destination, message: long, ...due })).id
  }
  await client.doNotText.add('+12025550199', { note: long })
  const blocked = await create('+12025550199')
  const waiting = await create('+12025550110', later)
  const locked = (await client.messages.lock(await create('+12025550111', later))).id
  const deleted = await create('+12025550112', later)
  await client.messages.delete(deleted)
  const sent = await create('+12025550113')
  await phone.messages.next()
  await phone.messages.reportSuccess(sent, { parts: 1 })
  const failed = await create('+12025550114')
  await phone.messages.next()
  await phone.messages.reportFailure(failed, { error_message: long })
  return [blocked, waiting, locked, deleted, sent, failed]
}
