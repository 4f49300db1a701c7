import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import MessageSend from '../../../commands/message/send.js'
import { createClient, run, start, startSharedRelay } from '../harness.js'

const shared = startSharedRelay()

it.each([
  ['delivered', 0],
  ['undelivered', 3],
] as const)('message send --wait delivered ends when it is %s, with %i', async (state, code) => {
  const fixture = shared()
  const client = createClient(fixture)
  const text = `wait for ${state}`
  const argv = ['5551212', text, '--wait', 'delivered', ...fixture.flags, '--json']
  const running = run(MessageSend, argv, fixture)
  const find = async () => (await client.messages.list()).find(each => each.message === text)?.id
  await expect.poll(find).toBeDefined()
  const id = (await find()) ?? ''
  await client.messages.reportSuccess(id, { parts: 1 })
  await client.messages.reportDelivery([{ id, state }])
  const result = await running
  expect(result.code).toBe(code)
  expect(JSON.parse(result.stdout)).toMatchObject({ id, status: 'S', delivery: { state } })
})

it('the JSON error of a wait that timed out has the id of the message', async () => {
  const argv = ['5551212', 'never sent', '--wait', '--timeout', '10ms', ...shared().flags, '--json']
  const result = await run(MessageSend, argv, shared())
  expect(result.code).toBe(124)
  const { error } = JSON.parse(result.stdout)
  const [message] = await createClient(shared()).messages.list()
  expect(error).toMatchObject({ code: 'timed_out', id: message?.id })
})

it('an interruption before the reply names the key for a retry', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(async () => {
    silent.closeAllConnections()
    await silent[Symbol.asyncDispose]()
  })
  const { port } = silent.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const requested = once(silent, 'request')
  const sending = start(MessageSend, ['5551212', 'hi', '--url', url, '--token', 't', '--json'])
  await requested
  sending.signals.emit('SIGINT')
  const result = await sending.ended
  expect(result.code).toBe(130)
  const { error } = JSON.parse(result.stdout)
  expect(error).toMatchObject({ code: 'interrupted', idempotency_key: expect.any(String) })
  expect(error.message).toContain(`--idempotency-key ${error.idempotency_key}`)
})

it('a relative time is shown before the message is sent', async () => {
  const result = await run(
    MessageSend,
    ['5551212', 'x', '--at', '+10m', ...shared().flags],
    shared(),
  )
  expect(result.stderr).toMatch(/^Sends at \S+ \S+ \(\S+\), \S+ \S+ UTC\.$/m)
})

it.each([
  ['at once', []],
  ['with --wait', ['--wait', '--timeout', '10ms']],
])('a message that no phone would fetch says so %s', async (_, flags) => {
  const result = await run(MessageSend, ['5551212', 'hi', ...flags, ...shared().flags], shared())
  expect(result.stderr).toContain(
    'No phone has connected yet. Start one with the application key: smsrelay phone --driver NAME',
  )
})
