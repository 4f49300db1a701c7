import { beforeEach, describe, expect, it } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { folder } from '../../journal/journal-rig.js'
import { type StandIns, standIns } from '../stand-ins.js'
import { fast, fastClock, start } from './polling-rig.js'

let programs: StandIns
beforeEach(async () => {
  programs = await standIns()
})

describe('termux', () => {
  const list = async (...texts: readonly (readonly [string, string, string])[]) =>
    await programs.write(
      'inbox.json',
      JSON.stringify(
        texts.map(([_id, body, received]) => ({
          _id,
          number: '+1',
          body,
          received,
          type: 'inbox',
        })),
      ),
    )
  const termux = async () => {
    await programs.add('termux-sms-list', 'note list "$@"\ncat "$here/inbox.json"')
    return createDriver('termux', fast, { env: programs.env, clock: fastClock })
  }
  const began = () => new Date(2026, 10, 21, 12).getTime()
  const looks = async () => (await programs.calls('list')).length

  it('tells each text that came since it looked for the first time once, through restarts', async () => {
    const directory = await folder()
    await list(['7', 'old', '2026-11-21 11:59:59'])
    const first = await start(await termux(), directory, began)
    await expect.poll(looks).toBeGreaterThan(2)
    expect(first.texts()).toEqual([])
    const long = 'x'.repeat(9000)
    await list(
      ['9', long, '2026-11-21 12:00:05'],
      ['8', 'new', '2026-11-21 12:00:05'],
      ['7', 'old', '2026-11-21 11:59:59'],
    )
    await expect.poll(first.texts).toEqual(['new', long])
    const seen = await looks()
    await expect.poll(looks).toBeGreaterThan(seen + 2)
    await first.finish()
    await list(['10', 'newest', '2026-11-21 12:00:06'], ['9', long, '2026-11-21 12:00:05'])
    const again = await start(await termux(), directory)
    await expect.poll(again.texts).toEqual(['newest'])
    expect(first.texts()).toHaveLength(2)
  })

  it('says once that it cannot look, and goes on', async () => {
    await programs.write('inbox.json', 'Please grant the permission')
    const phone = await start(await termux(), await folder(), began)
    await expect.poll(looks).toBeGreaterThan(2)
    expect(phone.names().filter(each => each === 'trouble')).toHaveLength(1)
    await list(['1', 'new', '2026-11-21 12:00:05'])
    await expect.poll(phone.texts).toEqual(['new'])
    expect(phone.names()).toContain('recovered')
  })
})

it('mmcli tells of whole texts, and deletes each once it is kept', async () => {
  const at = '/org/freedesktop/ModemManager1/SMS'
  const sms = (state: string, text: string) =>
    JSON.stringify({
      sms: {
        content: { number: '+1', text },
        properties: { state, timestamp: '2026-11-21T12:00:00+01' },
      },
    })
  await programs.write('list', JSON.stringify({ 'modem.messaging.sms': [`${at}/1`, `${at}/2`] }))
  await programs.write('1', sms('received', 'two\n"lines"'))
  await programs.write('2', sms('receiving', 'half'))
  await programs.add(
    'mmcli',
    `case "$*" in
  *--messaging-list-sms*) cat "$here/list";;
  *--messaging-delete-sms*) note delete "$@"; echo '{"modem.messaging.sms":["${at}/2"]}' > "$here/list";;
  -s*) cat "$here/\${2##*/}";;
esac`,
  )
  const world = { env: programs.env, clock: fastClock }
  const phone = await start(createDriver('mmcli', fast, world), await folder())
  await expect.poll(async () => await programs.calls('delete')).toHaveLength(1)
  expect(phone.texts()).toEqual(['two\n"lines"'])
  await programs.write('2', sms('received', 'whole'))
  await expect.poll(phone.texts).toEqual(['two\n"lines"', 'whole'])
  const [first] = await programs.calls('delete')
  expect(first).toEqual(['-m', 'any', `--messaging-delete-sms=${at}/1`])
})

describe('poll', () => {
  it.each(['4s', '3601', 'often', '30m', ''])('of %j is refused', poll => {
    expect(() => createDriver('termux', { poll })).toThrow('poll is 5 to 3600 seconds')
  })

  it('is off unless asked for', () => {
    expect(createDriver('termux', {}).watches).toEqual([])
    expect(createDriver('mmcli', {}).watches).toEqual([])
    expect(createDriver('gammu', {}).watches).toEqual([])
  })
})
