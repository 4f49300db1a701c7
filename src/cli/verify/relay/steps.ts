import { randomInt, randomUUID } from 'node:crypto'
import {
  expectEqual,
  expectStatus,
  expectSuccess,
  isObject,
  readEnvelopes,
  readId,
  readObject,
} from './expectations.js'
import type { RelayUnderTest } from './relay-under-test.js'
import { RuleFailure, RuleSkipped } from './rule-outcome.js'
import type { Fields, VerifyCaller, VerifyReply } from './verify-http.js'
import type { WebhookAddress } from './webhook-inbox.js'

export const distantTime = '2090-01-01 00:00:00'
export const missingId = '01890000-0000-7000-8000-000000000000'
/**
 * An address of webhooks to which nothing is sent: no such host exists (RFC 6761 section 6.4). Some
 * relays reject addresses that are not public.
 */
export const deadUrl = 'http://smsrelay-verify.invalid/hook'

const areaCodes = ['202', '206', '212', '312', '404', '415', '503', '617', '646', '702', '713']

export function pickTestNumber(): string {
  return `+1${areaCodes[randomInt(areaCodes.length)]}5551212`
}

export function createText(): string {
  return `smsrelay verify ${randomUUID()}`
}

/** Fields of a message that `verify` creates: to a test number, at a distant time. */
export function draftMessage(fields: Fields = {}): Fields {
  return { destination: pickTestNumber(), message: createText(), send_on: distantTime, ...fields }
}

export async function createMessage(
  caller: VerifyCaller,
  fields: Fields = {},
): Promise<Fields & { readonly id: string }> {
  const reply = await caller.post('/message', { message: draftMessage(fields) })
  expectStatus(reply, 200, 201)
  return { ...readObject(reply, 'message'), id: readId(reply, 'message') }
}

export async function readMessage(caller: VerifyCaller, id: string): Promise<Fields> {
  return readObject(expectStatus(await caller.get(`/message/${id}`), 200), 'message')
}

export async function expectLetter(
  relay: RelayUnderTest,
  id: string,
  letter: string,
): Promise<void> {
  expectEqual((await readMessage(relay.api, id)).status, letter, 'status')
}

export async function reportSent(caller: VerifyCaller, id: string): Promise<VerifyReply> {
  return await caller.put(`/message/${id}/success`, { parts: 1 })
}

export async function reportFailed(caller: VerifyCaller, id: string): Promise<VerifyReply> {
  return await caller.put(`/message/${id}/failure`, { error_message: 'no carrier' })
}

export async function failTimes(caller: VerifyCaller, id: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) expectSuccess(await reportFailed(caller, id))
}

export async function createInState(relay: RelayUnderTest, letter: string): Promise<string> {
  const { api } = relay
  const destination = pickTestNumber()
  if (letter === 'B') await blockNumber(relay, destination)
  const { id } = await createMessage(api, { destination })
  if (letter === 'E') await failTimes(api, id, 1)
  if (letter === 'F') await failTimes(api, id, 5)
  if (letter === 'S') expectSuccess(await reportSent(api, id))
  if (letter === 'L') await lockMessage(api, id)
  await expectLetter(relay, id, letter)
  return id
}

/** Locks a message of `verify`; the interface has no request for it, so it is an extension. */
async function lockMessage(caller: VerifyCaller, id: string): Promise<void> {
  const { status } = await caller.put(`/message/${id}/lock`, {})
  if (status >= 300) {
    throw new RuleSkipped('the interface has no request that locks a message, nor has this relay')
  }
}

/** Puts a number of `verify` on the Do Not Text list, which is an extension too. */
export async function blockNumber(relay: RelayUnderTest, number: string): Promise<void> {
  const { status } = await relay.api.post('/do-not-text', { number })
  if (status >= 300) {
    throw new RuleSkipped(
      'the interface has no request that adds to the Do Not Text list, nor has this relay',
    )
  }
}

export async function listMessages(caller: VerifyCaller, filter?: unknown): Promise<VerifyReply> {
  if (filter === undefined) return await caller.get('/message')
  return await caller.get(`/message?filter=${encodeURIComponent(JSON.stringify(filter))}`)
}

export async function listIds(caller: VerifyCaller, filter?: unknown): Promise<string[]> {
  const reply = expectStatus(await listMessages(caller, filter), 200)
  return readEnvelopes(reply, 'messages', 'message').map(({ fields }) => String(fields.id))
}

export async function createSubscription(
  caller: VerifyCaller,
  fields: Fields = {},
): Promise<Fields & { readonly id: string }> {
  const reply = await caller.post('/subscription', {
    event: 'message.failed',
    url: deadUrl,
    ...fields,
  })
  expectStatus(reply, 200, 201)
  return { ...readObject(reply, 'subscription'), id: readId(reply, 'subscription') }
}

export async function readSubscription(caller: VerifyCaller, id: string): Promise<Fields> {
  return readObject(expectStatus(await caller.get(`/subscription/${id}`), 200), 'subscription')
}

export interface Listener {
  readonly subscriptionId: string
  readonly address: WebhookAddress
  next(): ReturnType<WebhookAddress['next']>
}

/** Subscribes an address of `verify` to an event. `tail` follows the address. */
export async function listenFor(
  relay: RelayUnderTest,
  event: string,
  fields: Fields = {},
  tail = '',
): Promise<Listener> {
  await requireWebhooks(relay)
  const address = await relay.inbox.open()
  const url = `${address.url}${tail}`
  const { id } = await createSubscription(relay.api, { event, url, post: true, ...fields })
  return { subscriptionId: id, address, next: async () => await address.next() }
}

/**
 * Finds out once in a run of `verify` whether the relay's webhooks reach this machine, and skips
 * the rule if not.
 */
export async function requireWebhooks(relay: RelayUnderTest): Promise<void> {
  await relay.require('webhooks', async () => await findWebhookProblem(relay))
}

async function findWebhookProblem(relay: RelayUnderTest): Promise<string | undefined> {
  const address = await relay.inbox.open()
  const { origin } = new URL(address.url)
  const hook = { event: 'message.create', url: address.url, post: true }
  const { status } = await relay.api.post('/subscription', hook)
  if (status >= 300) return `the relay rejects webhooks to ${origin} (status ${status})`
  await createMessage(relay.api)
  try {
    await address.next()
    return undefined
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error
    return `no webhook reached ${origin}`
  }
}

export function readWebhookId(webhook: { readonly body: string }): unknown {
  try {
    const body: unknown = JSON.parse(webhook.body)
    return isObject(body) && isObject(body.message) ? body.message.id : undefined
  } catch {
    return undefined
  }
}
