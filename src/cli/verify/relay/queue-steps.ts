import { expectError, expectStatus, expectSuccess, readEnvelopes, readId } from './expectations.js'
import type { RelayUnderTest } from './relay-under-test.js'
import { RuleFailure } from './rule-outcome.js'
import { createMessage, listMessages, readMessage } from './steps.js'
import type { Fields, VerifyCaller } from './verify-http.js'

/** A past time; a larger `minutes` is a later time. */
export function getPastTime(minutes = 0): string {
  return `2001-01-01 00:${String(minutes).padStart(2, '0')}:00`
}

const maxPages = 20
/** Milliseconds in which another phone would take a message of `verify`. */
const watchTime = 1500
const watchStep = 250

/**
 * Creates a message to a test number that is due. Rules of `verify` that need the queue of NEXT are
 * skipped if the account has due messages of others, or if something else reports on messages: NEXT
 * would lease messages that `verify` must not touch.
 */
export async function createDue(
  relay: RelayUnderTest,
  fields: Fields = {},
): Promise<Fields & { readonly id: string }> {
  await requireQueue(relay)
  return await createMessage(relay.api, { send_on: getPastTime(), ...fields })
}

export async function requireQueue(relay: RelayUnderTest): Promise<void> {
  void relay.phone
  await relay.require('due', async () => await findForeignMessage(relay))
  await relay.require('queue', async () => await findOtherPhone(relay))
  relay.isQueueUsed = true
}

async function findForeignMessage(relay: RelayUnderTest): Promise<string | undefined> {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
  for (let page = 0; page < maxPages; page++) {
    const filter = { order: 'asc', start: page * 100, count: 100 }
    const reply = expectStatus(await listMessages(relay.api, filter), 200)
    const messages = readEnvelopes(reply, 'messages', 'message')
    const due = messages.find(({ fields }) => String(fields.send_on) <= now)
    if (due !== undefined) {
      return 'the account has messages that are due: use an account of its own'
    }
    if (messages.length < 100) return undefined
  }
  return `the account has more than ${maxPages * 100} waiting messages: use an account of its own`
}

/** Watches a due message of `verify` to which nothing should happen. */
export async function findOtherPhone(relay: RelayUnderTest): Promise<string | undefined> {
  const { id } = await createMessage(relay.api, { send_on: getPastTime() })
  const reason =
    'something else reports on messages of this account: stop its phones, ' +
    'and use a relay without --sandbox'
  for (let waited = 0; waited < watchTime; waited += watchStep) {
    const { status } = await readMessage(relay.api, id)
    if (status !== 'N') return reason
    await relay.pause(watchStep)
  }
  expectSuccess(await relay.api.delete(`/message/${id}`))
  return undefined
}

export async function claimMessage(
  phone: VerifyCaller,
  ...expected: readonly string[]
): Promise<string> {
  const reply = expectStatus(await phone.next(), 200)
  const id = readId(reply, 'message')
  if (expected.includes(id)) return id
  const wanted = `NEXT to return message ${expected.join(' or ')}`
  throw new RuleFailure(wanted, `message ${id}`, reply.request)
}

export async function expectNoMessage(phone: VerifyCaller): Promise<void> {
  expectError(await phone.next(), [404], 'not_a_message')
}
