import { expect, it } from 'vitest'
import { splitIntoParts } from '../../../src/domain/sms/sms-parts.js'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { encodeSubmitPdu } from '../../../src/phone/drivers/modem/submit-pdu.js'
import { buildSubmitSms } from '../../../src/phone/drivers/smpp/text/submit-sm.js'
import { httpDriver, startProvider } from './http/provider.js'
import { contentSettings } from './smpp/smsc.js'
import { createStandIns } from './stand-ins.js'

const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }

it.each([
  ['Hello', 0x00, 0x10],
  ['你', 0x08, 0x18],
])('modem: the data coding scheme of a flash text %s has class 0', (text, usual, flash) => {
  const [part] = splitIntoParts(text)
  if (part === undefined) throw new Error('no part')
  const alone = { reference: 1, count: 1, number: 1 }
  const read = (isFlash: boolean) =>
    Buffer.from(encodeSubmitPdu('123', part, alone, { flash: isFlash }).hex, 'hex')[8]
  expect([read(false), read(true)]).toEqual([usual, flash])
})

it.each([
  ['gsm', 0, 'Hello', 0x10, 0],
  ['gsm', 0, '你', 0x18, 0],
  ['latin-1', 3, 'Hello', 3, 1],
  ['latin-1', 3, '你', 0x18, 0],
] as const)('smpp: a flash text in %s %i, %s', (alphabet, coding, text, dataCoding, subunits) => {
  const settings = { ...contentSettings, alphabet, dataCoding: coding, flash: true }
  const [content] = buildSubmitSms(text, settings, 1).contents
  const units = content?.tlvs.filter(({ tag, value }) => tag === 5 && value[0] === 1)
  expect([content?.dataCoding, units?.length]).toEqual([dataCoding, subunits])
})

it.each([
  ['kannel', { account: 'x' }, { KANNEL_PASSWORD: 'x' }, '&mclass=0 HTTP'],
  [
    'sinch',
    { region: 'eu', service: 'p', from: 'ACME' },
    { SINCH_API_TOKEN: 't' },
    ',"flash_message":true}',
  ],
  ['messagebird', { from: 'ACME' }, { MESSAGEBIRD_ACCESS_KEY: 'k' }, ',"type":"flash"}'],
])('http: %s gets its field of a flash text', async (preset, options, env, field) => {
  const reply = { status: 202, body: '{"id":"1"}' }
  const { url, requests } = await startProvider(reply, reply)
  const driver = httpDriver({ preset, ...options, url }, env)
  await driver.send({ ...message, flash: true }, signal).catch(() => {})
  await driver.send(message, signal).catch(() => {})
  expect(requests.map(each => each.includes(field))).toEqual([true, false])
})

it('http: a template has {flash}', async () => {
  const { url, requests } = await startProvider({ status: 200 }, { status: 200 })
  const driver = httpDriver({ url, body: '{"text":"{text}","flash":{flash}}' })
  for (const flash of [true, false]) await driver.send({ ...message, flash }, signal)
  expect(requests.map(each => /"flash":\w+/.exec(each)?.[0])).toEqual([
    '"flash":true',
    '"flash":false',
  ])
})

it.each([
  ['gammu', 'gammu', {}, '-flash'],
  ['mmcli', 'mmcli', {}, 'class=0'],
  ['exec', 'program', { command: 'program' }, 'flash=1'],
] as const)('%s: the program is told of a flash text', async (driver, program, options, word) => {
  const programs = await createStandIns()
  await programs.add(program, `note call "$@" "flash=$SMSRELAY_FLASH"\nexit 1`)
  const created = createDriver(driver, options, { env: programs.env })
  for (const flash of [true, false])
    await created.send({ ...message, flash }, signal).catch(() => {})
  const calls = await programs.calls('call')
  expect(calls.map(each => each.join(' ').includes(word))).toEqual([true, false])
})
