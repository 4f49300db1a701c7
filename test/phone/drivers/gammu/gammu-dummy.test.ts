import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  defaultTables,
  encodeSeptets,
  unpackSeptets,
} from '../../../../src/domain/sms/gsm-alphabet.js'
import { countSmsParts } from '../../../../src/domain/sms/sms-parts.js'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { toTextArguments } from '../../../../src/phone/drivers/gammu/gammu-driver.js'
import { smsTexts } from '../../../fixtures/sms-texts.js'
import { isInstalled } from '../../../installed.js'
import { checkResults, many, sendAll } from '../faults-rig.js'
import { awkward, createStandIns } from '../stand-ins.js'

const { signal } = new AbortController()
const installed = isInstalled('gammu', 'the driver gammu against gammu itself')

interface Part {
  readonly number: string
  readonly text: string
}

/** Starts gammu with its dummy phone; reads the parts that it sent from its log. */
async function dummyPhone() {
  const { folder, write, read } = await createStandIns()
  const config = join(folder, 'gammurc')
  const log = join(folder, 'log')
  await write(
    'gammurc',
    [
      '[gammu]\nmodel = dummy\nconnection = none',
      `device = ${folder}\nlogfile = ${log}\nlogformat = textall\n`,
    ].join('\n'),
  )
  const driver = createDriver('gammu', { config })
  const sent = async (): Promise<Part[]> => {
    const parts = parseParts(await read('log'))
    await rm(log, { force: true })
    return parts
  }
  return { driver, sent, config }
}

function parseParts(log: string): Part[] {
  return log
    .split('SMS Submit\n')
    .slice(1)
    .map(block => {
      const [, number = ''] = /^Recipient number "(.*)"/.exec(block) ?? []
      const [, septets] =
        /^7 bit SMS, length .*\n((?:.|\n)*?)\nSent SMS on device/m.exec(block) ?? []
      const [, dump = ''] = /^Unicode SMS, length \d+\n\n((?:.+\n)+)/m.exec(block) ?? []
      return { number, text: septets ?? parseText(dump) }
    })
}

/** Decodes lines such as `00 |67g|00 |72r    .g.r`: bytes in hexadecimal with their characters. */
function parseText(dump: string): string {
  const bytes = dump
    .split('\n')
    .flatMap(line => line.slice(0, 63).split('|'))
    .map(cell => cell.slice(0, 2))
    .filter(cell => /^[0-9A-F]{2}$/.test(cell))
  return Buffer.from(bytes.join(''), 'hex').swap16().toString('utf16le')
}

/** The form in which the log, which is ASCII, has a text in the default alphabet. */
function logged(text: string): string {
  return countSmsParts(text).alphabet === 'GSM-7' ? text.replace(/[^\0-~]/g, '?') : text
}

/** Prints the parts of a text as gammu encodes them. */
function displayParts(text: string, config: string): string {
  const args = ['-c', config, 'displaysms', 'TEXT', '1', ...toTextArguments(text)]
  const env = { ...process.env, LC_ALL: 'C' }
  return spawnSync('gammu', args, { encoding: 'utf8', env }).stdout
}

/** The septets that gammu encodes for a text of one part, and the fill of its last octet. */
function septets(text: string, config: string): Uint8Array {
  const stdout = displayParts(text, config)
  const [, pdu = ''] = /^Data PDU *: (\S*)/m.exec(stdout) ?? []
  return unpackSeptets(Buffer.from(pdu, 'hex'), Math.floor((pdu.length * 4) / 7))
}

describe.skipIf(!installed)('gammu itself with its dummy phone', () => {
  it('a USSD code gives the reply of the network', async () => {
    const { driver } = await dummyPhone()
    expect(await driver.queryUssd?.('*100#', signal)).toBe('Reply for *100#')
  })

  it.each(awkward)('sends %j as it is', async text => {
    const { driver, sent } = await dummyPhone()
    const { parts } = await driver.send({ id: 'a', destination: '+12025550123', text }, signal)
    const went = await sent()
    expect(went.map(each => each.text).join('')).toBe(logged(text))
    expect(new Set(went.map(each => each.number))).toEqual(new Set(['+12025550123']))
    expect(parts).toBe(went.length)
    if (!text.includes('~')) expect(parts).toBe(countSmsParts(text).parts)
  })

  it('encodes the default alphabet and its extension as in the standard', async () => {
    const { config } = await dummyPhone()
    const some = ['@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ', '^{}\\[~]|€', '¡ÄÖÑÜ§¿äöñüà¤']
    for (const text of some) {
      const expected = encodeSeptets(text, defaultTables)
      expect(septets(text, config).slice(0, expected.length)).toEqual(expected)
    }
  })

  it('divides texts in many scripts into the parts of the fixture', async () => {
    const { config } = await dummyPhone()
    const counted = smsTexts.map(({ name, text }) => {
      const [, parts] = /^Number of messages *: (\d+)/m.exec(displayParts(text, config)) ?? []
      return { name, parts: Number(parts) }
    })
    expect(counted).toEqual(smsTexts.map(({ name, gammu: parts }) => ({ name, parts })))
  })

  it('any text is sent unchanged, or fails', async () => {
    const { driver, sent } = await dummyPhone()
    const unit = fc.constantFrom('a', '~', '€', 'ж', '😀', '\n', "'", '{')
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 200 }), async units => {
        const text = units.join('')
        const message = { id: 'a', destination: '5550123', text }
        const receipt = await driver.send(message, signal).catch(error => error.kind)
        const went = await sent()
        if (receipt === 'fail') return expect(went).toEqual([])
        expect(went.map(each => each.text).join('')).toBe(logged(text))
        expect(receipt).toEqual({ parts: went.length })
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['ж'.repeat(65), { parts: 2 }],
    ['ж'.repeat(66), 'fail'],
    [`${'😀'.repeat(34)}${'ж'.repeat(64)}`, 'fail'],
    [`${'😀'.repeat(34)}${'ж'.repeat(65)}`, { parts: 3 }],
  ])('sends a ~ after %j whole, or refuses it', async (before, receipt) => {
    const { driver, sent } = await dummyPhone()
    const text = `${before}~жжжж`
    const message = { id: 'a', destination: '5550123', text }
    expect(await driver.send(message, signal).catch(error => error.kind)).toEqual(receipt)
    const went = await sent()
    expect(went.map(each => each.text).join('')).toBe(receipt === 'fail' ? '' : text)
  })

  it(
    `loses none and doubles none of ${many} messages`,
    async () => {
      const { driver, sent } = await dummyPhone()
      const texts: string[] = []
      const noting: Driver = {
        name: 'gammu',
        async send(message, force) {
          const receipt = await driver.send(message, force)
          // Gammu overwrites its log each time.
          texts.push((await sent()).map(each => each.text).join(''))
          return receipt
        },
        async [Symbol.asyncDispose]() {},
      }
      const became = await sendAll(noting, many, 1)
      const numbers = texts.map(text => /^n=(\d+)/.exec(text)?.[1])
      checkResults(became, numbers.map(Number), () => 'sent')
    },
    many * 1000 + 60_000,
  )

  it('health has the network', async () => {
    const { driver } = await dummyPhone()
    expect(await driver.health?.()).toEqual({
      ok: true,
      detail: expect.stringMatching(/^Network: home network, 999 99 \(/),
    })
  })

  it('the network has its operator', async () => {
    const { driver } = await dummyPhone()
    expect(await driver.readNetwork?.()).toEqual({ operator: 'GammuTel' })
  })

  it.each([
    ['nowhere', /exist/],
    ['[gammu]\ndevice = /dev/ttyNowhere\nconnection = at115200\n', /exist/],
  ])('is trouble with the configuration %j', async (content, sentence) => {
    const { folder, write } = await createStandIns()
    if (content !== 'nowhere') await write('gammurc', content)
    const driver = createDriver('gammu', { config: join(folder, 'gammurc') })
    const failure = driver.send({ id: 'a', destination: '5550123', text: 'Hello' }, signal)
    await expect(failure).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(sentence),
    })
  })
})
