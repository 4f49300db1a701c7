import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRelayError, RelayError } from '../../../src/errors.js'
import type { Administration } from '../../../src/server/admin/administration.js'
import {
  createSocketAdministration,
  serveAdministration,
} from '../../../src/server/admin/socket-administration.js'
import { lockDirectory } from '../../../src/util/files/directory-lock.js'
import { administer, connectRaw, newDirectory, openRelay } from './rig.js'

async function open() {
  const directory = await newDirectory()
  const relay = await openRelay(directory)
  return { directory, relay }
}

const garbage: [string, string][] = [
  ['an empty line', ''],
  ['no JSON', 'hello'],
  ['half a request', '["listAccounts"'],
  ['a number', '5'],
  ['null', 'null'],
  ['an object', '{"verb":"listAccounts"}'],
  ['an empty array', '[]'],
  ['an unknown verb', '["format"]'],
  ['an unknown method', '["close"]'],
  ['a member of every object', '["constructor"]'],
  ['a prototype', '["__proto__"]'],
  ['an array for a verb', '[["listAccounts"]]'],
  ['a web browser', 'GET / HTTP/1.1'],
  ['control characters', '\u0000\u0001\u001b[2J'],
]

test.each(garbage)(
  '%s on the socket is invalid_request, and the next line is answered',
  async (_, line) => {
    const { directory } = await open()
    const { socket, reply } = await connectRaw(directory)
    socket.write(`${line}\n["listAccounts"]\n`)
    expect(await reply()).toMatchObject({ error: { code: 'invalid_request' } })
    expect(await reply()).toEqual({ result: [] })
  },
)

test.each([
  ['nothing', '["showAccount"]'],
  ['a number', '["showAccount",5]'],
  ['null', '["createAccount",null]'],
  ['wrong members', '["changeAccount","a@b.c",{"country":5}]'],
])('a method with %s as arguments is an error and changes nothing', async (_, line) => {
  const { directory, relay } = await open()
  const { id } = await relay.administration.createAccount({ email: 'a@b.c' })
  const { socket, reply } = await connectRaw(directory)
  socket.write(`${line}\n`)
  const { error } = await reply()
  expect(error).toEqual({ code: 'internal_error', message: expect.any(String) })
  expect(await relay.administration.listAccounts()).toMatchObject([{ id, country: 'US' }])
})

test('invalid bytes and an endless line do not harm the relay', async () => {
  const { directory } = await open()
  const { socket, reply, closed } = await connectRaw(directory)
  socket.write(Buffer.from('fffe00800a', 'hex'))
  expect(await reply()).toMatchObject({ error: { code: 'invalid_request' } })
  socket.end('["listAccounts"')
  await closed
  expect(await (await administer(directory)).listAccounts()).toEqual([])
})

test('a request in many pieces gets one reply', async () => {
  const { directory } = await open()
  const { socket, reply } = await connectRaw(directory)
  socket.setNoDelay(true)
  for (const byte of '["listAccounts"]\r\n') {
    await new Promise(resolve => socket.write(byte, resolve))
  }
  expect(await reply()).toEqual({ result: [] })
})

test('clients that disconnect before the reply do not harm the relay', async () => {
  const { directory, relay } = await open()
  for (let n = 0; n < 20; n += 1) {
    const { socket } = await connectRaw(directory)
    socket.write('["listAccounts"]\n'.repeat(50))
    if (n % 2 === 1) await new Promise(setImmediate)
    socket.destroy()
    await once(socket, 'close')
  }
  const { socket, reply } = await connectRaw(directory)
  socket.write('["listAccounts"]\n')
  expect(await reply()).toEqual({ result: [] })
  expect(await relay.administration.listAccounts()).toEqual([])
})

test('a client gets unavailable when the relay stops, and afterwards', async () => {
  const { directory, relay } = await open()
  const admin = await administer(directory)
  await admin.listAccounts()
  await relay.stop()
  for (let n = 0; n < 3; n += 1) {
    await expect(admin.listAccounts()).rejects.toMatchObject({ code: 'unavailable' })
  }
})

test('a request from before the start gets its reply after it', async () => {
  const directory = await newDirectory()
  const lock = await lockDirectory(directory)
  onTestFinished(async () => await lock.release())
  const admin = await administer(directory)
  const listed = admin.listAccounts()
  const ready = { listAccounts: async () => [] } as unknown as Administration
  lock.serve(socket => serveAdministration(ready, socket))
  expect(await listed).toEqual([])
})

test.each([
  ['with a hint', new RelayError('damaged_data', 'It is broken.', { hint: 'Repair it.' })],
  ['without one', new RelayError('unavailable', 'Not now.')],
])('an error %s arrives unchanged', async (_, thrown) => {
  const directory = await newDirectory()
  const path = join(directory, 'socket')
  const throwing = { listAccounts: () => Promise.reject(thrown) } as unknown as Administration
  const server = createServer(socket => serveAdministration(throwing, socket)).listen(path)
  await once(server, 'listening')
  const admin = createSocketAdministration(connect(path))
  onTestFinished(async () => {
    await admin.close()
    server.close()
  })
  const error = await admin.listAccounts().catch((caught: unknown) => caught)
  expect(isRelayError(error)).toBe(true)
  const { code, message, hint } = thrown
  expect(error).toMatchObject({ code, message, hint })
})
