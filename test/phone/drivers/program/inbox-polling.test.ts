import { beforeEach, describe, expect, it } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { createStandIns, type StandIns } from '../stand-ins.js'
import { expectUsageError } from '../usage-error.js'
import { fast, fastClock, start } from './polling-rig.js'

let programs: StandIns
beforeEach(async () => {
  programs = await createStandIns()
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
  const firstRun = () => new Date(2026, 10, 21, 12).getTime()
  const countPolls = async () => (await programs.calls('list')).length

  it('each text since the first run is received once, also after a restart', async () => {
    const directory = await temporaryFolder()
    await list(['7', 'old', '2026-11-21 11:59:59'])
    const first = await start(await termux(), directory, firstRun)
    await expect.poll(countPolls).toBeGreaterThan(2)
    expect(first.texts()).toEqual([])
    const long = 'x'.repeat(9000)
    await list(
      ['9', long, '2026-11-21 12:00:05'],
      ['8', 'new', '2026-11-21 12:00:05'],
      ['7', 'old', '2026-11-21 11:59:59'],
    )
    await expect.poll(first.texts).toEqual(['new', long])
    const seen = await countPolls()
    await expect.poll(countPolls).toBeGreaterThan(seen + 2)
    await first.finish()
    await list(['10', 'newest', '2026-11-21 12:00:06'], ['9', long, '2026-11-21 12:00:05'])
    const restarted = await start(await termux(), directory)
    await expect.poll(restarted.texts).toEqual(['newest'])
    expect(first.texts()).toHaveLength(2)
  })

  it('an inbox that cannot be read is reported once, and polling goes on', async () => {
    await programs.write('inbox.json', 'Please grant the permission')
    const phone = await start(await termux(), await temporaryFolder(), firstRun)
    await expect.poll(countPolls).toBeGreaterThan(2)
    expect(phone.names().filter(each => each === 'trouble')).toHaveLength(1)
    await list(['1', 'new', '2026-11-21 12:00:05'])
    await expect.poll(phone.texts).toEqual(['new'])
    expect(phone.names()).toContain('recovered')
  })
})

it('mmcli: complete texts are received, and deleted once they are stored', async () => {
  const at = '/org/freedesktop/ModemManager1/SMS'
  const sms = (state: string, text: string) =>
    [
      'sms.content.number       : +1',
      `sms.content.text         : ${text}`,
      `sms.properties.state     : ${state}`,
      'sms.properties.timestamp : 2026-11-21T12:00:00+01\n',
    ].join('\n')
  const list = (...numbers: readonly number[]) =>
    numbers.map(n => `modem.messaging.sms.value[${n}] : ${at}/${n}\n`).join('')
  await programs.write('list', list(1, 2))
  await programs.write('1', sms('received', String.raw`two\n\"lines\"`))
  await programs.write('2', sms('receiving', 'half'))
  await programs.add(
    'mmcli',
    `case "$*" in
  *--messaging-list-sms*) cat "$here/list";;
  *--messaging-delete-sms*) note delete "$@"
    echo '${list(2)}' > "$here/list";;
  -s*) cat "$here/\${2##*/}";;
esac`,
  )
  const world = { env: programs.env, clock: fastClock }
  const phone = await start(createDriver('mmcli', fast, world), await temporaryFolder())
  await expect.poll(async () => await programs.calls('delete')).toHaveLength(1)
  expect(phone.texts()).toEqual(['two\n"lines"'])
  await programs.write('2', sms('received', 'whole'))
  await expect.poll(phone.texts).toEqual(['two\n"lines"', 'whole'])
  const [first] = await programs.calls('delete')
  expect(first).toEqual(['-m', 'any', `--messaging-delete-sms=${at}/1`])
})

describe('poll', () => {
  it.each(['4s', '3601', 'often', '30m', ''])('of %j is rejected', poll => {
    expectUsageError(() => createDriver('termux', { poll }), 'poll', '5 to 3600', `"${poll}"`)
  })

  it('is off by default', () => {
    expect(createDriver('termux', {}).watches).toEqual([])
    expect(createDriver('mmcli', {}).watches).toEqual([])
    expect(createDriver('gammu', {}).watches).toEqual([])
  })
})
