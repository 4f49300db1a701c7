import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { IncomingText } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { parseStoredText } from '../../../../src/phone/drivers/gammu/gammu-inbox.js'
import { isInstalled } from '../../../installed.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { fast, fastClock, start } from '../program/polling-rig.js'
import { createStandIns, type StandIns } from '../stand-ins.js'

const installed = isInstalled('gammu', 'texts that come in with gammu itself')

interface Stored {
  readonly text: string
  readonly from?: string
  /** Seconds of a minute. */
  readonly at?: number
  readonly header?: string
  readonly coding?: 'Default' | 'Unicode'
  readonly state?: 'UnRead' | 'Sent'
}

function hex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
}

/** A text in the format of gammu's dummy phone. */
function formatText({ text, from = '+12025550123', at = 0, header, ...more }: Stored): string {
  const lines = hex(text).match(/.{1,200}/g) ?? []
  return [
    '[SMSBackup000]',
    'PDU = Deliver',
    `DateTime = 20261121T1200${String(at).padStart(2, '0')}Z`,
    `State = ${more.state ?? 'UnRead'}`,
    `Number = "${from}"`,
    `NumberUnicode = ${hex(from)}`,
    ...(header === undefined ? [] : [`UDH = ${header}`]),
    ...lines.map((line, number) => `Text${String(number).padStart(2, '0')} = ${line}`),
    `Coding = ${more.coding ?? 'Default'}_No_Compression`,
    'Folder = 1',
    `Length = ${text.length}`,
    'Class = -1',
    '',
  ].join('\n')
}

describe.skipIf(!installed)('received texts, with gammu and its dummy phone', () => {
  let programs: StandIns
  let config: string
  beforeEach(async () => {
    programs = await createStandIns()
    config = join(programs.folder, 'gammurc')
    const device = `device = ${programs.folder}`
    await writeFile(config, `[gammu]\nmodel = dummy\nconnection = none\n${device}\n`)
    for (const name of ['1', '2', '3', '4', '5']) await mkdir(inbox(name), { recursive: true })
    await programs.add(
      'gammu',
      `case "$*" in
  *deletesms*) note delete "$@"; if [ -e "$here/stuck" ]; then exit 114; fi;;
  *getallsms*) note list "$@";;
esac
for at in /usr/bin /usr/local/bin; do if [ -x "$at/gammu" ]; then exec "$at/gammu" "$@"; fi; done`,
    )
  })
  const inbox = (name: string) => join(programs.folder, 'sms', name)
  const storeText = async (at: number, text: Stored, name = '1') =>
    await writeFile(join(inbox(name), String(at)), formatText(text))
  // On the fast clock, the timeout of a program is 3 s.
  const gammu = () =>
    createDriver(
      'gammu',
      { config, ...fast, timeout: '600' },
      { env: programs.env, clock: fastClock },
    )
  const listInbox = async () => await readdir(inbox('1'))
  const countPolls = async () => (await programs.calls('list')).length

  it('each text is received unchanged and deleted', async () => {
    const texts = [
      'Hello',
      'two\nLocation 1, folder "Inbox", SIM memory, Inbox folder\nSMS message\n\nlines\n',
      '\n\n12 SMS parts in 12 SMS sequences\n\n',
      'a\r\nb',
      '',
    ]
    const unicode = ['жы 😀 é', ' ?\n']
    for (const [at, text] of texts.entries()) await storeText(at + 1, { text })
    for (const [at, text] of unicode.entries()) {
      await storeText(at + 20, { text, coding: 'Unicode', from: 'Кафе "A"' })
    }
    const phone = await start(gammu(), await temporaryFolder())
    await expect.poll(listInbox).toEqual([])
    expect(phone.texts().sort()).toEqual([...texts, ...unicode].sort())
    expect(phone.names()).not.toContain('trouble')
  })

  it('sent texts stay, even if a received text names their location', async () => {
    await storeText(1, { text: 'mine', state: 'Sent' }, '2')
    const place = 'x\nLocation 20001, folder "Inbox", SIM memory, Inbox folder\nSMS message'
    await storeText(1, { text: place })
    const phone = await start(gammu(), await temporaryFolder())
    await expect.poll(listInbox).toEqual([])
    const seen = await countPolls()
    await expect.poll(countPolls).toBeGreaterThan(seen + 1)
    expect(phone.texts()).toEqual([place])
    expect(await readdir(inbox('2'))).toEqual(['1'])
  })

  it('parts are joined, also within a split character', async () => {
    const part = (text: string, header: string) => ({ text, header, coding: 'Unicode' }) as const
    const [first, second] = `${'ж?'.repeat(33)}😀!é`.match(/[\s\S]{1,67}/g) ?? []
    await storeText(1, part(second ?? '', '050003A50202'))
    await storeText(2, part('left ', '06080412340201'))
    const phone = await start(gammu(), await temporaryFolder())
    await expect.poll(listInbox).toEqual([])
    expect(phone.texts()).toEqual([])
    await storeText(1, part('right', '06080412340202'))
    await storeText(2, part(first ?? '', '050003A50201'))
    await expect.poll(listInbox).toEqual([])
    expect(phone.texts().sort()).toEqual(['left right', `${'ж?'.repeat(33)}😀!é`].sort())
  })

  it('each text is received once, also if the phone ends before it deletes one', async () => {
    const directory = await temporaryFolder()
    await programs.write('stuck', '')
    await storeText(1, { text: 'again' })
    const first = await start(gammu(), directory)
    await expect.poll(countPolls).toBeGreaterThan(1)
    expect(first.texts()).toEqual(['again'])
    await first.finish()
    const second = await start(gammu(), directory)
    const seen = await countPolls()
    await expect.poll(countPolls).toBeGreaterThan(seen)
    expect(second.texts()).toEqual([])
    const troubles = () => second.names().filter(each => each === 'trouble')
    await expect.poll(troubles).toHaveLength(1)
    await second.finish()
    await storeText(2, { text: 'again', at: 1 })
    const third = await start(gammu(), directory)
    await expect.poll(third.texts).toEqual(['again'])
    await rm(join(programs.folder, 'stuck'))
    await expect.poll(listInbox).toEqual([])
    expect(third.texts()).toEqual(['again'])
  })

  it('an inbox that cannot be read is reported once, and polling goes on', async () => {
    const phone = await start(
      createDriver(
        'gammu',
        { config: join(programs.folder, 'later'), ...fast },
        { env: programs.env, clock: fastClock },
      ),
      await temporaryFolder(),
    )
    await expect.poll(countPolls).toBeGreaterThan(1)
    expect(phone.names().filter(each => each === 'trouble')).toHaveLength(1)
    await storeText(1, { text: 'new' })
    const device = `device = ${programs.folder}`
    await programs.write('later', `[gammu]\nmodel = dummy\nconnection = none\n${device}\n`)
    await expect.poll(phone.texts).toEqual(['new'])
  })
})

const head = `Location 1, folder "Inbox", SIM memory, Inbox folder
SMS message
SMSC number          : "+1"
Sent                 : Sat Nov 21 12:00:00 2026 +0000
Coding               : Default GSM alphabet (no compression)
Remote number        : "+12025550123"
`

describe('the output of getsms', () => {
  const read: [string, Partial<IncomingText>][] = [
    [`${head}Status               : UnRead\n\nHello\n\n`, { text: 'Hello' }],
    [`${head}Status               : Read\nClass                : 1\n\n\n\n\n`, { text: '\n' }],
    [
      [
        `${head}Status               : Read`,
        'User Data Header     : Concatenated (linked) message, ID (16 bit) 4660, part 3 of 4',
        '\nx\n\n',
      ].join('\n'),
      { part: { reference: 4660, number: 3, count: 4 } },
    ],
  ]
  it.each(read)('%j is a text', (printed, text) => {
    expect(parseStoredText(printed)).toMatchObject({ from: '+12025550123', ...text })
  })

  it.each([
    'Location 1\nEmpty\n',
    '',
    `${head}Status               : Sent\n\nStatus : Read\n\n`,
    `${head.replace('SMS message', 'SMS status report')}Status               : Read\n\n\n\n`,
  ])('%j has no received text', printed => {
    expect(parseStoredText(printed)).toBeUndefined()
  })
})
