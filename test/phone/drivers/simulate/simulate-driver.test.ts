import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DeliveryReceipt, Driver } from '../../../../src/phone/driver-port/driver.js'
import type { DriverContext } from '../../../../src/phone/driver-port/driver-options.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { checkResults, many, sendAll } from '../faults-rig.js'

const text = { id: 'a', destination: '+12025550123', text: 'Hello' }
const { signal } = new AbortController()

async function outcomes(driver: Driver, count = 20): Promise<string> {
  const one = () =>
    driver.send(text, signal).then(
      () => '.',
      () => 'x',
    )
  let all = ''
  for (let n = 0; n < count; n++) all += await one()
  return all
}

describe('simulate', () => {
  it('by default all texts are sent at once', async () => {
    const clock = new FakeClock({ auto: true })
    expect(await outcomes(createDriver('simulate', {}, { clock }))).toBe('.'.repeat(20))
    expect(clock.slept).toEqual([])
  })

  it('each text takes the delay', async () => {
    const clock = new FakeClock({ auto: true })
    await outcomes(createDriver('simulate', { delay: '250' }, { clock }), 2)
    expect(clock.slept).toEqual([250, 250])
  })

  it('the same seed fails the same texts, at the given rate', async () => {
    const run = (seed: string) =>
      outcomes(createDriver('simulate', { 'failure-rate': '0.3', seed }), 1000)
    const first = await run('7')
    expect(await run('7')).toBe(first)
    expect(await run('8')).not.toBe(first)
    const failures = first.replaceAll('.', '').length
    expect(failures).toBeGreaterThan(250)
    expect(failures).toBeLessThan(350)
  })

  it.each([
    ['0', '.'],
    ['1', 'x'],
  ])('a rate of %s has one outcome', async (rate, outcome) => {
    const driver = createDriver(
      'simulate',
      { 'failure-rate': rate },
      {
        random: () => (rate === '0' ? 0 : 0.999_999),
      },
    )
    expect(await outcomes(driver, 3)).toBe(outcome.repeat(3))
  })

  it('a stop in the delay is trouble', async () => {
    const driver = createDriver('simulate', { delay: '60000' })
    await expect(driver.send(text, AbortSignal.abort())).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('health is good', async () => {
    expect(await createDriver('simulate', {}).health?.()).toMatchObject({ ok: true })
  })

  it('the jitter adds to the delay', async () => {
    const clock = new FakeClock({ auto: true })
    const driver = createDriver('simulate', { delay: '100', jitter: '50', seed: '3' }, { clock })
    await outcomes(driver, 200)
    expect(Math.min(...clock.slept)).toBeGreaterThanOrEqual(100)
    expect(Math.min(...clock.slept)).toBeLessThan(110)
    expect(Math.max(...clock.slept)).toBeGreaterThan(140)
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(150)
  })

  it.each([
    ['failure', 'retry'],
    ['retry', 'retry'],
    ['fail', 'fail'],
    ['trouble', 'trouble'],
    ['unknown', 'unknown'],
    ['lost', 'unknown'],
  ])('%s-rate is %s, and only a lost text is in the outbox', async (name, kind) => {
    const { driver, outbox } = await withOutbox({ [`${name}-rate`]: '1' })
    await expect(driver.send(text, signal)).rejects.toMatchObject({ kind })
    expect(await outbox()).toHaveLength(name === 'lost' ? 1 : 0)
  })

  it('each rate has its share', async () => {
    const rates = { 'retry-rate': '0.1', 'fail-rate': '0.1', 'trouble-rate': '0.1' }
    const others = { 'unknown-rate': '0.1', 'lost-rate': '0.1', 'duplicate-rate': '0.1' }
    const { driver, outbox } = await withOutbox({ ...rates, ...others, seed: '5' })
    const seen: Record<string, number> = {}
    for (let n = 0; n < 2000; n += 1) {
      const outcome = await driver.send({ ...text, id: `${n}` }, signal).then(
        () => 'sent',
        error => error.kind,
      )
      seen[outcome] = (seen[outcome] ?? 0) + 1
    }
    const share = (outcome: string) => Math.round((seen[outcome] ?? 0) / 200)
    expect(['retry', 'fail', 'trouble', 'unknown', 'sent'].map(share)).toEqual([1, 1, 1, 2, 5])
    const lines = await outbox()
    const doubled = lines.length - new Set(lines.map(each => each.id)).size
    expect(doubled).toBeGreaterThan(80)
    expect(doubled).toBeLessThan(160)
  })

  it('sent texts are written to the outbox', async () => {
    const { driver, outbox } = await withOutbox({}, { clock: new FakeClock({ start: 5 }) })
    await driver.send({ ...text, text: 'two\nlines' }, signal)
    expect(await outbox()).toEqual([{ ...text, text: 'two\nlines', at: 5 }])
  })

  it('an outbox that cannot be written is trouble', async () => {
    const driver = createDriver('simulate', { outbox: join(await temporaryFolder(), 'no', 'file') })
    await expect(driver.send(text, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('ENOENT'),
    })
  })

  it('a hang lasts until a stop and is unknown', async () => {
    const stop = new AbortController()
    const sending = createDriver('simulate', { 'hang-rate': '1' }).send(text, stop.signal)
    stop.abort()
    await expect(sending).rejects.toMatchObject({ kind: 'unknown' })
  })

  it.each([
    ['before', 0],
    ['after', 1],
  ])('crashes %s the text is sent', async (crash, count) => {
    const error = new Error('crashed')
    const world = {
      crash: () => {
        throw error
      },
    }
    const { driver, outbox } = await withOutbox({ crash }, world)
    await expect(driver.send(text, signal)).rejects.toBe(error)
    expect(await outbox()).toHaveLength(count)
    const rare = createDriver('simulate', { crash, 'crash-rate': '0' }, world)
    expect(await rare.send(text, signal)).toEqual({})
  })

  it('simulates receipts and answers', async () => {
    const options = { 'incoming-rate': '1', 'incoming-text': 'STOP', 'report-rate': '1' }
    const driver = createDriver('simulate', options, { clock: new FakeClock({ start: 7 }) })
    const received: unknown[] = []
    driver.listen?.({
      onText: incoming => void received.push(incoming),
      onReceipt: report => void received.push(report),
    })
    const { networkIds = [] } = await driver.send(text, signal)
    expect(networkIds).toHaveLength(1)
    expect(received).toEqual([
      { from: text.destination, text: 'STOP', at: 7 },
      { to: text.destination, state: 'delivered', networkId: networkIds[0] },
    ])
  })

  it('simulates receipts that are late, doubled, undelivered and have decimal ids', async () => {
    const clock = new FakeClock()
    const rates = { 'report-rate': '1', 'report-fail-rate': '1', 'report-duplicate-rate': '1' }
    const options = { ...rates, 'report-delay': '1000', 'report-decimal': 'yes' }
    const driver = createDriver('simulate', options, { clock })
    const receipts: DeliveryReceipt[] = []
    driver.listen?.({ onText: () => {}, onReceipt: each => void receipts.push(each) })
    const { networkIds = [] } = await driver.send({ ...text, text: 'x'.repeat(200) }, signal)
    clock.advance(999)
    expect(receipts).toEqual([])
    clock.advance(1)
    const decimal = networkIds.map(id => BigInt(`0x${id}`).toString())
    expect(receipts.map(each => each.networkId)).toEqual(decimal.flatMap(id => [id, id]))
    expect(new Set(receipts.map(each => each.state))).toEqual(new Set(['undelivered']))
  })

  it(
    'a phone loses and doubles none of its messages',
    async () => {
      const rates = { 'retry-rate': '0.1', 'trouble-rate': '0.05' }
      const options = { ...rates, 'lost-rate': '0.1', 'unknown-rate': '0.1', seed: '9' }
      const { driver, outbox } = await withOutbox(options)
      const results = await sendAll(driver, Math.max(100, many), 8)
      const sent = (await outbox()).map(each => Number(/n=(\d+)/.exec(each.text)?.[1]))
      checkResults(results, sent, n => {
        if (results.status.get(n) !== 'L') return 'sent'
        return sent.includes(n) ? 'unknown, went out' : 'unknown, did not'
      })
      expect([...results.status.values()].filter(each => each === 'L').length).toBeGreaterThan(10)
    },
    many * 1000 + 60_000,
  )
})

/** A driver with an outbox, and the lines of the outbox. */
async function withOutbox(options: Record<string, string>, context: Partial<DriverContext> = {}) {
  const path = join(await temporaryFolder(), 'outbox')
  const driver = createDriver('simulate', { ...options, outbox: path }, context)
  const outbox = async (): Promise<(typeof text)[]> => {
    const lines = await readFile(path, 'utf8').catch(() => '')
    return lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }
  return { driver, outbox }
}
