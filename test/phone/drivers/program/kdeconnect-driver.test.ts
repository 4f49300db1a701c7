import { beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { awkward, createStandIns, type StandIns } from '../stand-ins.js'
import { expectUsageError } from '../usage-error.js'

const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }
const phones = `echo '_0a1_ My Phone'; echo 'b2 Tablet'; echo 'c3 Twin'; echo 'c4 Twin'`

let programs: StandIns
beforeEach(async () => {
  programs = await createStandIns()
})

async function kdeconnect(
  send = '',
  options: Record<string, string> = { device: '_0a1_' },
  list = phones,
): Promise<Driver> {
  const script = `note kde "$@"\ncase $1 in --list-available) ${list};; *) ${send || ':'};; esac`
  await programs.add('kdeconnect-cli', script)
  return createDriver('kdeconnect', options, { env: programs.env })
}

describe('kdeconnect', () => {
  it.each(awkward)('passes %j in one argument', async text => {
    expect(await (await kdeconnect()).send({ ...message, text }, signal)).toEqual({})
    expect(await programs.calls('kde')).toEqual([
      ['--list-available', '--id-name-only'],
      [`--send-sms=${text}`, '--destination=+12025550123', '--device=_0a1_'],
    ])
  })

  it('finds a phone by its name', async () => {
    await (await kdeconnect('', { name: 'My Phone' })).send(message, signal)
    expect((await programs.calls('kde'))[1]?.[2]).toBe('--device=_0a1_')
  })

  it.each<[Record<string, string>, RegExp]>([
    [{ device: 'gone' }, /gone/],
    [{ name: 'My' }, /My/],
    [{ name: 'Twin' }, /Twin.*device=ID/],
  ])('with %j is trouble, and nothing is passed on', async (options, values) => {
    const driver = await kdeconnect('', options)
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(values),
    })
    expect(await programs.calls('kde')).toHaveLength(1)
  })

  it.each([
    [`echo 'error: No such object path /modules/kdeconnect/x/sms' >&2; exit 1`, 'trouble'],
    [`echo 'error: Did not receive a reply. Possible causes include' >&2; exit 1`, 'unknown'],
    ['kill -9 $$', 'unknown'],
    ['exec sleep 60', 'unknown'],
  ])('%s is %s', async (script, kind) => {
    const driver = await kdeconnect(script, { device: '_0a1_', timeout: '1' })
    await expect(driver.send(message, signal)).rejects.toMatchObject({ kind })
  })

  it('passes nothing on after a stop', async () => {
    const stop = new AbortController()
    const list = 'note listing; exec sleep 60'
    const sending = (await kdeconnect('', { device: 'b2' }, list)).send(message, stop.signal)
    const failure = expect(sending).rejects.toMatchObject({ kind: 'trouble' })
    await expect.poll(() => programs.calls('listing')).toHaveLength(1)
    stop.abort()
    await failure
    expect(await programs.calls('kde')).toHaveLength(1)
  })

  it('without the D-Bus session of the desktop is trouble', async () => {
    const list = `echo 'error: Not connected to D-Bus server' >&2; exit 1`
    const driver = await kdeconnect('', { device: 'b2' }, list)
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(/Not connected to D-Bus server/),
    })
    expect(await driver.health?.()).toMatchObject({ ok: false })
  })

  it.each<Record<string, string>>([{}, { device: 'a', name: 'b' }])(
    'with the options %j is rejected',
    options => {
      expectUsageError(() => createDriver('kdeconnect', options), 'device=ID', 'name=NAME')
    },
  )

  it('without the program the error names the package to install', async () => {
    const env = { PATH: programs.folder }
    const driver = createDriver('kdeconnect', { device: 'a' }, { env })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('apt install kdeconnect'),
    })
  })

  it('health names the phone', async () => {
    expect(await (await kdeconnect()).health?.()).toEqual({
      ok: true,
      detail: expect.stringContaining('My Phone (_0a1_)'),
    })
  })
})
