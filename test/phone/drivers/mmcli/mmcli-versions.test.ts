import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DeliveryReceipt, IncomingText } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { parseKeyValues, parsePathList } from '../../../../src/phone/drivers/mmcli/mmcli-output.js'
import { createStandIns } from '../stand-ins.js'

const fixtures = 'test/fixtures/mmcli'
const versions = (await readdir(fixtures)).filter(each => /^\d/.test(each))
const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }
const path = '/org/freedesktop/ModemManager1/SMS'

/** An mmcli that prints the output of this version; a text that it creates is the fourth. */
async function startVersion(version: string, options: Record<string, string>) {
  const programs = await createStandIns()
  await cp(join(fixtures, version), programs.folder, { recursive: true })
  await programs.add(
    'mmcli',
    `note mmcli "$@"
case "$*" in
  *--messaging-create-sms*) echo "Successfully created new SMS: ${path}/4";;
  *--send*) echo "successfully sent the SMS";;
  *--messaging-delete-sms*) note delete "$@";;
  *--messaging-list-sms*) cat "$here/sms-list.txt";;
  -s*) cat "$here/sms-\${2##*/}.txt";;
  *) cat "$here/modem.txt";;
esac`,
  )
  const driver = createDriver('mmcli', options, { env: programs.env })
  onTestFinished(async () => await driver[Symbol.asyncDispose]())
  return { driver, programs }
}

describe.each(versions)('ModemManager %s', version => {
  it('health is understood', async () => {
    const { driver } = await startVersion(version, {})
    expect(await driver.health?.()).toEqual({
      ok: true,
      detail: expect.stringMatching(
        /^Modem (registered|connected), network Café Mobile \(home\), signal 67 %\.$/,
      ),
    })
  })

  it('texts and receipts are read and deleted, and others stay', async () => {
    const { driver, programs } = await startVersion(version, { poll: '5s' })
    const texts: IncomingText[] = []
    const receipts: DeliveryReceipt[] = []
    driver.listen?.({
      onText: text => void texts.push(text),
      onReceipt: receipt => void receipts.push(receipt),
    })
    const stop = new AbortController()
    await driver.watches?.[0]?.run(() => stop.abort(), stop.signal)
    const at = Date.UTC(2026, 10, 21, 11)
    const text = 'Grüße "a" \\ 😀\nline: 2 : x'
    const numbers = { from: '+12025550123', to: '+12025550100' }
    expect(texts).toEqual([{ ...numbers, text, at, ref: expect.any(String) }])
    expect(receipts).toEqual([
      { to: '+12025550123', state: 'delivered', networkId: '25550123/42', at: at + 5000 },
    ])
    expect((await programs.calls('delete')).map(each => each.at(-1))).toEqual([
      `--messaging-delete-sms=${path}/2`,
      `--messaging-delete-sms=${path}/1`,
    ])
  })

  it('a text is sent, with the id of its part', async () => {
    const { driver, programs } = await startVersion(version, { reports: 'yes' })
    expect(await driver.send(message, signal)).toEqual({ networkIds: ['25550123/43'] })
    const [create] = await programs.calls('mmcli')
    expect(create?.at(-1)).toBe(
      `--messaging-create-sms=number=+12025550123,delivery-report-request=yes,text='Hello'`,
    )
  })
})

describe('the output', () => {
  it('escaped values are read as they were', () => {
    const line = String.raw`a.b : \303\251\"\\n\n\t\001 x : y`
    expect(parseKeyValues(line).get('a.b')).toBe('é"\\n\n\t\u0001 x : y')
  })

  it('the keys of a long list, which are cut off, are understood', () => {
    const list = Array.from(
      { length: 120 },
      (_, n) => `${`modem.messaging.sms.value[${n + 1}]`.slice(0, 29)} : ${path}/${n}`,
    )
    expect(parsePathList(list.join('\n'))).toHaveLength(120)
    expect(parsePathList('modem.messaging.sms : 0\n')).toEqual([])
  })
})
