import { expect, test } from 'vitest'
import { block, createMessage, FAR, freshText } from '../acts.js'
import { expectError, json, type Reply, useCallers } from '../calls.js'

// The account of these tests is in the US.

interface Read {
  readonly destination: string
  readonly number?: string
  readonly warnings?: string[]
}

const at = useCallers()

function create(destination: string): Promise<Reply> {
  const message = { destination, message: freshText(), send_on: FAR }
  return at.api.call('POST', '/message?extended=true', json({ message }))
}

/** What a client without an encoder of forms sends. */
function createRaw(destination: string): Promise<Reply> {
  const message = JSON.stringify({ destination, message: 'raw', send_on: FAR })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return at.api.call('POST', '/message', { headers, body: `message=${message}` })
}

function readMessage(reply: Reply): Read {
  expect(reply.status, reply.text).toBe(200)
  return reply.body.message
}

test.each([
  ['(202) 555-0143', '+12025550143'],
  ['1-202-555-0143', '+12025550143'],
  ['\u202a+1 202\u2011555\u00a00143\u202c', '+12025550143'],
  ['＋１２０２５５５０１４３', '+12025550143'],
  ['2025550143.0', '+12025550143'],
  ['447911123458', '+447911123458'],
  ['00447911123458', '+447911123458'],
  ['+49 (0)151/23456789', '+4915123456789'],
  ['+52 1 55 1234 5678', '+5215512345678'],
])('extension: the number %j is dialled as it was meant', async (destination, number) => {
  expect(readMessage(await create(destination))).toMatchObject({ destination, number })
})

test.each(['+12025550143', '+345906566798696', '12345', '5551212'])(
  'extension: the number %s is dialled as it is',
  async typed => {
    expect(readMessage(await create(typed))).not.toHaveProperty('number')
  },
)

test.each(['+33612345678', '+12025550143'])(
  'extension: the + of %s, not encoded in a form, is read',
  async destination => {
    expect(readMessage(await createRaw(destination)).destination).toBe(destination)
  },
)

test.each([
  ['6785912345', ['+16785912345', '+6785912345']],
  ['9995550143', ['neither', '+19995550143', '+9995550143', 'always works']],
  ['4.91512E+12', ['spreadsheet']],
  ['+12025550143 +12025550144', ['not a phone number']],
])('extension: the number %s is refused, with the reason', async (destination, reasons) => {
  for (const reason of reasons)
    expectError(await create(destination), 400, 'invalid_parameter', reason)
})

test.each([
  ['+345906566798696', 'in no numbering plan'],
  ['+4930123456', 'a fixed line'],
])('extension: %s gets a warning in an extended reply', async (destination, warning) => {
  const { warnings } = readMessage(await create(destination))
  expect(warnings).toEqual([expect.stringContaining(warning)])
})

test.each([
  ['+5215512345671', '+525512345671'],
  ['+541123456781', '+5491123456781'],
  ['+551181234561', '+5511981234561'],
  ['447911123451', '+447911123451'],
  ['(202) 555-0171', '+12025550171'],
])('extension: %s and %s are one number on the Do Not Text list', async (one, other) => {
  await block(at.api, one)
  expect((await createMessage(at.api, { destination: other })).status).toBe('B')
  expect((await at.api.delete(`/do-not-text/${encodeURIComponent(other)}`)).status).toBe(200)
  expect((await createMessage(at.api, { destination: one })).status).toBe('N')
})

const receive = async (from: string): Promise<{ number: string | null }> => {
  const reply = await at.phone.call('POST', '/message/received', json({ from, message: 'STOP' }))
  expect(reply.status, reply.text).toBe(200)
  return (reply.body as unknown as { received: { number: string | null } }).received
}

test.each([
  ['447911123452', '+447911123452'],
  ['00447911123453', '+447911123453'],
  ['+5215512345672', '+525512345672'],
  ['5511981234562', '+5511981234562'],
])('extension: an opt-out of %s is one of %s', async (from, destination) => {
  await receive(from)
  expect((await createMessage(at.api, { destination })).status).toBe('B')
})

test('extension: of two possible senders, the one that was texted counts', async () => {
  await createMessage(at.api, { destination: '+6785912341' })
  expect((await receive('6785912341')).number).toBe('+6785912341')
  expect((await receive('6785912342')).number).toBe('+16785912342')
})

test('extension: an opt-out of a sender that cannot be read is a problem', async () => {
  expect((await receive('Tariff-Alert')).number).toBeNull()
  const { status } = (await at.api.get('/status')).body as unknown as {
    status: { problems: { code: string; message: string }[] }
  }
  const problem = status.problems.find(({ code }) => code === 'opt_out_unread')
  expect(problem?.message).toContain('"Tariff-Alert"')
})
