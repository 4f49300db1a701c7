import { describe, expect, it } from 'vitest'
import MessageDelete from '../../../commands/message/delete.js'
import MessageEdit from '../../../commands/message/edit.js'
import MessageGet from '../../../commands/message/get.js'
import MessageLock from '../../../commands/message/lock.js'
import MessageRetry from '../../../commands/message/retry.js'
import MessageSend from '../../../commands/message/send.js'
import MessageUndelete from '../../../commands/message/undelete.js'
import MessageUnlock from '../../../commands/message/unlock.js'
import { RelayClient } from '../../../src/client/relay-client.js'
import { type RelayFixture, run, start, startRelay, startSharedRelay } from '../harness.js'
import { send, settle } from './message-rig.js'

const messageKeys = [
  ...['id', 'destination', 'message', 'created_on', 'send_on', 'status', 'status_date'],
  ...['source', 'failure_count'],
]

describe('message send', () => {
  const shared = startSharedRelay()

  it('prints the accepted message', async () => {
    const fixture = shared()
    const result = await run(MessageSend, ['5551212', 'hi', ...fixture.flags, '--json'], fixture)
    expect(result.code).toBe(0)
    expect(Object.keys(JSON.parse(result.stdout))).toEqual(messageKeys)
    expect(JSON.parse(result.stdout)).toMatchObject({ message: 'hi', status: 'N', source: 'api' })
    expect(result.stderr).toBe('')
  })

  it.each([
    ['nothing', []],
    ['a dash', ['-']],
  ])('reads a pipe whole for %s', async (_, text) => {
    const fixture = shared()
    const argv = ['5551212', ...text, ...fixture.flags, '--json']
    const result = await run(MessageSend, argv, { ...fixture, stdin: 'two\nlines\n' })
    expect(JSON.parse(result.stdout).message).toBe('two\nlines')
  })

  it('sends a text that begins with a dash after "--"', async () => {
    const fixture = shared()
    const argv = ['--json', ...fixture.flags, '5551212', '--', '--json is a flag']
    const result = await run(MessageSend, argv, fixture)
    expect(JSON.parse(result.stdout).message).toBe('--json is a flag')
  })

  it('accepts a time with its zone', async () => {
    const fixture = shared()
    const message = await send(fixture, '5551212', 'hi', '--at', '2030-01-31T09:00:00+02:00')
    expect(message.send_on).toBe('2030-01-31 07:00:00')
  })

  it('accepts one message per idempotency key', async () => {
    const fixture = shared()
    const first = await send(fixture, '5551212', 'hi', '--idempotency-key', 'k1')
    expect(await send(fixture, '5551212', 'hi', '--idempotency-key', 'k1')).toEqual(first)
  })

  it('prints the idempotency key for a retry if the relay does not answer', async () => {
    const [secret = '', api = ''] = [shared().account.secret_key, shared().account.api_key]
    const keys = ['--url', 'http://127.0.0.1:1', '--secret-key', secret, '--api-key', api]
    const random = await run(MessageSend, ['5551212', 'hi', ...keys], shared())
    expect(random.stderr).toMatch(/--idempotency-key [\da-z-]{20,}\.\n$/)
    const given = await run(MessageSend, ['5551212', 'hi', ...keys, '--idempotency-key', 'k'], {})
    expect(given).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--idempotency-key k\.\n$/),
    })
  })

  it('prints the parts after and before with --fewer-parts', async () => {
    const argv = [
      '5551212',
      `“${'a'.repeat(80)}”`,
      '--fewer-parts',
      '--flash',
      '--dry-run',
      '--json',
    ]
    const { stdout } = await run(MessageSend, argv, { env: {} })
    const message = `"${'a'.repeat(80)}"`
    const parts = { alphabet: 'GSM-7', parts: 1, parts_before: 2 }
    expect(JSON.parse(stdout)).toMatchObject({ message, flash: true, ...parts })
  })

  it('prints the parts of a text with --dry-run, without a relay', async () => {
    const argv = ['5551212', 'ß☎', '--dry-run', '--json']
    const result = await run(MessageSend, argv, { env: {} })
    expect(JSON.parse(result.stdout)).toEqual({
      ...{ destination: '5551212', message: 'ß☎', alphabet: 'UCS-2', parts: 1 },
    })
    const wrong = await run(MessageSend, ['nobody', 'hi', '--dry-run'], { env: {} })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
  })

  it('waits until the message is sent', async () => {
    const fixture = await startRelay()
    const argv = ['5551212', 'hi', '--wait', ...fixture.flags, '--json']
    const waiting = start(MessageSend, argv, fixture)
    await settle(fixture, (phone, id) => phone.messages.reportSuccess(id, { parts: 1 }))
    const result = await waiting.ended
    expect(result.code).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ status: 'S' })
  })

  it('exits with 3 if the message is blacklisted', async () => {
    const fixture = await startRelay()
    await fixture.relay.administration.addDoNotText('+12025550123')
    const argv = ['+12025550123', 'hi', '--wait', ...fixture.flags, '--json']
    const result = await run(MessageSend, argv, fixture)
    expect(result.code).toBe(3)
    expect(JSON.parse(result.stdout)).toMatchObject({ status: 'B' })
  })

  it('exits with 3 if the message is deleted during the wait', async () => {
    const fixture = await startRelay()
    const argv = ['5551212', 'hi', '--wait', ...fixture.flags, '--json']
    const waiting = start(MessageSend, argv, fixture)
    const api = apiClient(fixture)
    await settle(fixture, (_, id) => api.messages.delete(id))
    const result = await waiting.ended
    expect(result.code).toBe(3)
    expect(JSON.parse(result.stdout)).toMatchObject({ status: 'D' })
  })

  it('exits with 124 and names the message after --timeout', async () => {
    const fixture = await startRelay()
    const argv = ['5551212', 'hi', '--wait', '--timeout', '1ms', ...fixture.flags, '--json']
    const result = await run(MessageSend, argv, fixture)
    const [message] = await apiClient(fixture).messages.list()
    expect(result.code).toBe(124)
    expect(JSON.parse(result.stdout).error.code).toBe('timed_out')
    expect(result.stdout).toContain(message?.id)
  })

  it('exits with 130 and names the message when the wait is interrupted', async () => {
    const fixture = await startRelay()
    const waiting = start(
      MessageSend,
      ['5551212', 'hi', '--wait', ...fixture.flags, '--json'],
      fixture,
    )
    await settle(fixture, async () => waiting.signals.emit('SIGINT'))
    const result = await waiting.ended
    const [message] = await apiClient(fixture).messages.list()
    expect(result.code).toBe(130)
    expect(JSON.parse(result.stdout).error).toMatchObject({
      code: 'interrupted',
      id: message?.id,
      message: expect.stringContaining(`smsrelay message get ${message?.id}`),
    })
  })
})

describe('one message', () => {
  const shared = startSharedRelay()

  it.each([
    ['get', MessageGet, 'N', [...messageKeys, 'attempts']],
    ['lock', MessageLock, 'L', messageKeys],
  ])('%s prints the message', async (_, command, status, keys) => {
    const fixture = shared()
    const { id } = await send(fixture, '5551212', 'hi')
    const result = await run(command, [id, ...fixture.flags, '--json'], fixture)
    expect(result.code).toBe(0)
    expect(Object.keys(JSON.parse(result.stdout))).toEqual(keys)
    expect(JSON.parse(result.stdout)).toMatchObject({ id, status })
  })

  it('get names the phone that has the message', async () => {
    const fixture = await startRelay()
    const { id } = await send(fixture, '+12025550143', 'hi')
    const { relay, account } = fixture
    const credentials = { user: account.secret_key, password: account.app_key }
    const phone = { name: 'attic', driver: 'exec' }
    await new RelayClient({ url: relay.url, credentials, phone }).messages.next()
    const argv = [id, ...fixture.flags]
    const { stdout } = await run(MessageGet, argv, fixture)
    expect(stdout).toMatch(/^with phone +attic, since .* UTC, until .* UTC without a report$/m)
    const { lease } = JSON.parse((await run(MessageGet, [...argv, '--json'], fixture)).stdout)
    expect(lease).toMatchObject({ phone: 'attic' })
  })

  it('unlock reverses lock, and undelete reverses delete', async () => {
    const fixture = shared()
    const { id } = await send(fixture, '5551212', 'hi')
    const argv = [id, ...fixture.flags, '--json']
    await run(MessageLock, argv, fixture)
    expect(JSON.parse((await run(MessageUnlock, argv, fixture)).stdout).status).toBe('N')
    expect(JSON.parse((await run(MessageDelete, argv, fixture)).stdout)).toEqual({ id })
    expect(JSON.parse((await run(MessageUndelete, argv, fixture)).stdout).status).toBe('N')
  })

  it('edit changes the given fields', async () => {
    const fixture = shared()
    const { id } = await send(fixture, '5551212', 'hi')
    const argv = ['--text', '-', '--at', '2030-01-01 00:00:00', ...fixture.flags, '--json']
    const result = await run(MessageEdit, [id, ...argv], { ...fixture, stdin: 'new text' })
    expect(JSON.parse(result.stdout)).toEqual({ id })
    const message = await apiClient(fixture).messages.get(id)
    expect(message).toMatchObject({ message: 'new text', send_on: '2030-01-01 00:00:00' })
  })

  it.each([
    ['get', MessageGet, []],
    ['edit', MessageEdit, ['--text', 'x']],
    ['delete', MessageDelete, []],
    ['lock', MessageLock, []],
    ['unlock', MessageUnlock, []],
    ['undelete', MessageUndelete, []],
    ['retry', MessageRetry, []],
  ])('%s exits with 5 if the message does not exist', async (_, command, extra) => {
    const fixture = shared()
    const argv = ['nope', ...extra, ...fixture.flags]
    const json = await run(command, [...argv, '--json'], fixture)
    expect(json.code).toBe(5)
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'not_a_message', id: 'nope' })
    const plain = await run(command, argv, fixture)
    expect(plain).toMatchObject({ code: 5, stdout: '' })
    expect(plain.stderr).toMatch(/^smsrelay: .+ Type: smsrelay message list --filter all\n$/)
  })

  it('unlock exits with 1 if the message is not locked', async () => {
    const fixture = shared()
    const { id } = await send(fixture, '5551212', 'hi')
    const result = await run(MessageUnlock, [id, ...fixture.flags, '--json'], fixture)
    expect(result.code).toBe(1)
    expect(JSON.parse(result.stdout).error.code).toBe('invalid_state')
  })
})

function apiClient({ relay, account }: RelayFixture): RelayClient {
  const credentials = { user: account.secret_key, password: account.api_key }
  return new RelayClient({ url: relay.url, credentials })
}
