import { connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selfSigned } from '../../../certificate.js'
import { listen } from './smpp-line.js'
import { createSmppDriver, keepSilent, Smsc } from './smsc.js'

const never = new AbortController().signal
const text = { id: 'a', destination: '+12025550123', text: 'Hello' }

describe('a connection', () => {
  it('that does not answer enquire_link is closed, and the next text binds again', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc, { enquire: '1', timeout: '1' })
    await driver.send(text, never)
    smsc.answersEnquiries = false
    smsc.script.push(keepSilent)
    const lost = createSmppDriver(smsc, { enquire: '1', timeout: '1' }).send(text, never)
    await expect(lost).rejects.toMatchObject({ kind: 'unknown' })
    await expect.poll(() => smsc.sessions.size).toBe(0)
    smsc.answersEnquiries = true
    await driver.send(text, never)
    expect(smsc.binds).toHaveLength(3)
  })

  it('that sends invalid bytes is closed', async () => {
    const { port } = await listen(
      createServer(socket => {
        socket.on('error', () => {})
        socket.once('data', () => socket.write(Buffer.alloc(16, 0xff)))
      }),
    )
    const error = await createSmppDriver({ port })
      .send(text, never)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble' })
  })

  it('has its bind as health', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc)
    expect(await driver.health?.()).toEqual({
      ok: true,
      detail: expect.stringContaining(`127.0.0.1:${smsc.port} as relay`),
    })
    smsc.bindStatus = 0x0e
    const other = createSmppDriver(smsc)
    expect(await other.health?.()).toMatchObject({ ok: false, detail: /RINVPASWD/ })
  })

  it('may split PDUs anywhere', async () => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver({ port: await serveByteByByte(smsc.port) })
    const received: string[] = []
    driver.listen?.({ onText: each => void received.push(each.text), onReceipt: () => {} })
    await Promise.all(
      Array.from({ length: 5 }, (_, n) => driver.send({ ...text, text: `${n}` }, never)),
    )
    const from = { source_addr_ton: 1, source_addr_npi: 1, source_addr: '12025550199' }
    await smsc.deliver({ ...from, data_coding: 0, short_message: Buffer.from('Hi there') })
    expect(received).toEqual(['Hi there'])
    expect(smsc.accepted).toHaveLength(5)
  })

  it('with TLS rejects a self-signed certificate, unless insecure', async () => {
    const smsc = await Smsc.start(selfSigned)
    const error = await createSmppDriver(smsc, { tls: 'yes' })
      .send(text, never)
      .catch(each => each)
    expect(error).toMatchObject({ kind: 'trouble', message: /CERT/ })
    expect(smsc.binds).toHaveLength(0)
    const insecure = createSmppDriver(smsc, { tls: 'yes', insecure: 'yes' })
    expect(await insecure.send(text, never)).toEqual({ parts: 1 })
  })

  it('without TLS to a TLS port is trouble', async () => {
    const smsc = await Smsc.start(selfSigned)
    await expect(createSmppDriver(smsc).send(text, never)).rejects.toMatchObject({
      kind: 'trouble',
    })
  })

  it('with TLS to a port without it is trouble', async () => {
    const smsc = await Smsc.start()
    const sent = createSmppDriver(smsc, { tls: 'yes', timeout: '1' }).send(text, never)
    await expect(sent).rejects.toMatchObject({ kind: 'trouble' })
  })
})

it('invalid PDUs only close the connection', async () => {
  const commands = fc.constantFrom(
    ...[0x00000005, 0x00000103, 0x00000102, 0x0000000b, 0x00000006, 0x00000112, 0x00000015],
    ...[0x80000004, 0x80000005, 0x80000000, 0x80000009, 0x00000002, 0x7f000001, 0x00000111],
  )
  const pdus = fc.array(
    fc.record({ command: commands, body: fc.uint8Array({ maxLength: 80 }), cut: fc.nat(3) }),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(pdus, async sent => {
      const server = createServer(socket => {
        socket.on('error', () => {})
        socket.once('data', bind => {
          socket.write(encodePdu(0x80000009, bind.readUInt32BE(12), Buffer.from('x\0')))
          for (const [at, { command, body, cut }] of sent.entries()) {
            const bytes = encodePdu(command, at + 2, Buffer.from(body))
            socket.write(bytes.subarray(0, bytes.length - (at === sent.length - 1 ? cut : 0)))
          }
          socket.end()
        })
      })
      const { port, close } = await listen(server)
      const driver = createSmppDriver({ port })
      driver.listen?.({ onText: () => {}, onReceipt: () => {} })
      const outcome = await driver.send(text, never).then(
        () => 'sent',
        error => error.kind,
      )
      expect(['sent', 'unknown', 'trouble', 'retry']).toContain(outcome)
      await driver[Symbol.asyncDispose]()
      await close()
    }),
    { numRuns: 150 },
  )
})

/** Serves a port through a proxy that writes each byte by itself. */
async function serveByteByByte(port: number): Promise<number> {
  const copyBytes = (source: Socket, target: Socket) =>
    source.on('data', async data => {
      source.pause()
      for (const byte of data) {
        target.write(Buffer.of(byte))
        await new Promise(resolve => setImmediate(resolve))
      }
      source.resume()
    })
  const server = createServer({ noDelay: true }, socket => {
    const onward = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const each of [socket, onward]) each.on('error', () => {})
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
    copyBytes(socket, onward)
    copyBytes(onward, socket)
  })
  return (await listen(server)).port
}

function encodePdu(command: number, sequence: number, body: Buffer): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(16 + body.length, 0)
  head.writeUInt32BE(command, 4)
  head.writeUInt32BE(sequence, 12)
  return Buffer.concat([head, body])
}
