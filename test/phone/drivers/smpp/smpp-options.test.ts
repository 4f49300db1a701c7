import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { parseSmppSettings } from '../../../../src/phone/drivers/smpp/settings/smpp-settings.js'
import { selfSigned } from '../../../certificate.js'
import { expectUsageError } from '../usage-error.js'
import { listen } from './smpp-line.js'
import { createSmppDriver, keepSilent, Smsc } from './smsc.js'

const never = new AbortController().signal
const text = { id: 'a', destination: '+12025550123', text: 'Hello' }
const fingerprint = new X509Certificate(selfSigned.cert).fingerprint256

describe('an option', () => {
  it.each<[string, Record<string, string>, Record<string, unknown>]>([
    ['dest-ton', { 'dest-ton': '2', 'dest-npi': '8' }, { dest_addr_ton: 2, dest_addr_npi: 8 }],
    [
      'field.NAME',
      {
        ...{ 'field.service_type': 'CMT', 'field.priority_flag': '3', 'field.protocol_id': '64' },
        'field.schedule_delivery_time': '261122141500004+',
      },
      {
        ...{ service_type: 'CMT', priority_flag: 3, protocol_id: 64 },
        schedule_delivery_time: new Date('2026-11-22T13:15:00Z'),
      },
    ],
    ['tlv', { 'tlv.0x020A': '0x1234', 'tlv.0x0204': '0x0007' }, { source_port: 0x1234 }],
    ['data-coding', { 'data-coding': '1' }, { data_coding: 1 }],
  ])('%s is in each submit_sm', async (_, options, expected) => {
    const smsc = await Smsc.start()
    await createSmppDriver(smsc, options).send(text, never)
    expect(smsc.accepted).toMatchObject([expected])
  })

  it.each<[string, Record<string, string>, string[]]>([
    ['missing host', { host: '' }, ['host']],
    ['long', { long: 'ucs2' }, ['long', 'udh, udh16, payload, sar', '"ucs2"']],
    ['tls', { tls: '1' }, ['tls', '"1"']],
    ['host', { host: 'a b' }, ['host', '"a b"']],
    ['host port', { host: 'a:70000' }, ['host', '"a:70000"']],
    ['version', { version: '4' }, ['version', '3.4, 3.3, 5.0', '"4"']],
    ['bind', { bind: 'both' }, ['bind', 'transceiver, separate, transmitter', '"both"']],
    ['bind of 3.3', { version: '3.3', bind: 'transceiver' }, ['bind', 'separate or transmitter']],
    ['long of 3.3', { version: '3.3', long: 'sar' }, ['long', 'udh or udh16', '"sar"']],
    ['tlv of 3.3', { version: '3.3', 'tlv.0x1400': '1' }, ['tlv.0x1400', '3.4 or 5.0', '"3.3"']],
    ['national', { national: 'turkish,klingon' }, ['national', 'auto', 'urdu', '"klingon"']],
    ['national for latin-1', { national: 'auto', alphabet: 'latin-1' }, ['national', 'gsm-packed']],
    ['national for sar', { national: 'auto', long: 'sar' }, ['national', 'long=udh']],
    ['system-id', { 'system-id': 'Zoë你' }, ['system-id', 'ASCII', '"Zoë你"']],
    ['system-type', { 'system-type': 'A'.repeat(13) }, ['system-type', 'at most 12', '"AAAA']],
    ['tls-pin', { tls: 'yes', 'tls-pin': 'ab:cd' }, ['tls-pin', 'SHA-256', '"ab:cd"']],
    ['tls-pin without TLS', { 'tls-pin': fingerprint }, ['tls-pin', 'tls=yes', fingerprint]],
    ['service_type', { 'field.service_type': 'TOOLONG' }, ['field.service_type', '"TOOLONG"']],
    ['validity-period', { 'validity-period': '0' }, ['validity-period', '2592000', '"0"']],
    ['priority_flag', { 'field.priority_flag': '5' }, ['field.priority_flag', '0 to 4', '"5"']],
    ['field', { 'field.priority': '5' }, ['"field.priority"', 'field.priority_flag']],
    ['tag', { 'tlv.5': '1' }, ['tlv.5', 'tlv.0x1400']],
    ['tlv', { 'tlv.0x1400': '0x1' }, ['tlv.0x1400', '"0x1"']],
    ['throughput', { throughput: '0' }, ['throughput', '0.1 to 100000', '"0"']],
    ['alphabet', { alphabet: 'utf-8' }, ['alphabet', 'gsm-packed', '"utf-8"']],
    ['data-coding', { 'data-coding': 'x' }, ['data-coding', '0 to 255', '"x"']],
    ['source', { source: '你' }, ['source', '"你"']],
  ])('with an invalid %s ends the start', (_, options, values) => {
    const all = { host: 'localhost', 'system-id': 'relay', ...options }
    const env = { SMSRELAY_SMPP_PASSWORD: 'x' }
    expectUsageError(() => createDriver('smpp', all, { env }), ...values)
  })
})

it('without a password ends the start', () => {
  const options = { host: 'localhost', 'system-id': 'relay' }
  expectUsageError(() => createDriver('smpp', options, { env: {} }), 'SMSRELAY_SMPP_PASSWORD')
})

it('window is also the number of messages that the phone has in flight', () => {
  expect(createSmppDriver({ port: 2775 }).concurrency).toBe(10)
  expect(createSmppDriver({ port: 2775 }, { window: '200' }).concurrency).toBe(200)
})

it('validity-period takes seconds, or the form of SMPP', () => {
  const parse = (typed: string) =>
    parseSmppSettings({ host: 'h', 'system-id': 'a', password: 'p', 'validity-period': typed }, {})[
      'validity-period'
    ]
  expect(parse('93784')).toBe('000001020304000R')
  expect(parse('000001000000000R')).toBe('000001000000000R')
})

describe('several hosts', () => {
  it('are tried in their order, and again from the first', async () => {
    const { port: closed, close } = await listen(createServer())
    await close()
    const first = await Smsc.start()
    const second = await Smsc.start()
    first.bindStatus = 0x0d
    const host = `127.0.0.1:${closed},127.0.0.1:${first.port},127.0.0.1`
    const driver = createSmppDriver(second, { host })
    await driver.send(text, never)
    expect([first.binds.length, second.binds.length]).toEqual([1, 1])
    expect(await driver.health?.()).toMatchObject({ ok: true, detail: RegExp(`${second.port}`) })
    first.bindStatus = 0
    await second.deliver({}, 'unbind')
    await driver.send(text, never)
    expect([first.accepted.length, second.accepted.length]).toEqual([1, 1])
  })

  it('that all fail are trouble', async () => {
    const { port: closed, close } = await listen(createServer())
    await close()
    const smsc = await Smsc.start()
    smsc.bindStatus = 0x0e
    const host = `127.0.0.1:${closed},127.0.0.1:${smsc.port}`
    const error = createSmppDriver(smsc, { host }).send(text, never)
    const message = RegExp(`${closed}.*${smsc.port}.*RINVPASWD`)
    await expect(error).rejects.toMatchObject({ kind: 'trouble', wait: 15_000, message })
  })
})

describe('binds', () => {
  it.each([
    ['3.3', {}, 0x33, ['bind_transmitter', 'bind_receiver']],
    ['3.4', { bind: 'separate' }, 0x34, ['bind_transmitter', 'bind_receiver']],
    ['5.0', {}, 0x50, ['bind_transceiver']],
    ['3.4', { bind: 'transmitter' }, 0x34, ['bind_transmitter']],
  ])('of version %s with %j', async (version, options, interfaceVersion, commands) => {
    const smsc = await Smsc.start()
    const driver = createSmppDriver(smsc, { version, ...options })
    const received: string[] = []
    driver.listen?.({ onText: each => void received.push(each.text), onReceipt: () => {} })
    const stop = new AbortController()
    for (const watch of driver.watches ?? []) {
      await new Promise<void>(resolve => void watch.run(resolve, stop.signal))
    }
    expect(smsc.binds.map(each => each.command)).toEqual(commands)
    expect(smsc.binds[0]).toMatchObject({ interface_version: interfaceVersion })
    await driver.send(text, never)
    const [, receiver] = [...smsc.sessions]
    if (receiver !== undefined) smsc.sessions.delete([...smsc.sessions][0] as typeof receiver)
    const short_message = Buffer.from('Hi')
    await smsc.deliver({ source_addr: '1', data_coding: 0, short_message })
    expect(received).toEqual(['Hi'])
    stop.abort()
  })

  it('with a pinned certificate accept only that one', async () => {
    const smsc = await Smsc.start(selfSigned)
    const pinned = createSmppDriver(smsc, { tls: 'yes', 'tls-pin': fingerprint })
    expect(await pinned.send(text, never)).toEqual({ parts: 1 })
    const other = createSmppDriver(smsc, { tls: 'yes', 'tls-pin': '00'.repeat(32) })
    await expect(other.send(text, never)).rejects.toMatchObject({
      kind: 'trouble',
      message: RegExp(fingerprint.replaceAll(':', '').toLowerCase()),
    })
    expect(smsc.binds).toHaveLength(1)
  })

  it('that are lost leave texts that were not written as trouble', async () => {
    const smsc = await Smsc.start()
    smsc.otherwise = keepSilent
    const driver = createSmppDriver(smsc)
    const sent = driver.send(text, never).catch(error => error.kind)
    await expect.poll(() => smsc.commands).toContain('submit_sm')
    const late = driver.send(text, never).catch(error => error.kind)
    await driver[Symbol.asyncDispose]()
    expect(await sent).toBe('unknown')
    expect(['unknown', 'trouble']).toContain(await late)
  })
})
