import { beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { awkward, createStandIns, type StandIns } from '../stand-ins.js'

const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }
const device = `printf '{"sim_state": "ready", "network_operator_name": "Foo Tel"}\\n'`

let programs: StandIns
beforeEach(async () => {
  programs = await createStandIns()
  await programs.add('termux-telephony-deviceinfo', `note probe "$@"\n${device}`)
  await programs.add('termux-sms-send', `note send "$@"\ncat > "$here/stdin"`)
})

function termux(options: Record<string, string> = {}): Driver {
  return createDriver('termux', options, { env: programs.env })
}

/** A driver whose `termux-sms-send` is this script. */
async function withScript(script: string, options: Record<string, string> = {}): Promise<Driver> {
  await programs.add('termux-sms-send', script)
  return termux(options)
}

describe('termux', () => {
  it.each(awkward)('sends %j unchanged through stdin', async text => {
    expect(await termux().send({ ...message, text }, signal)).toEqual({})
    expect(await programs.calls('send')).toEqual([['-n', '+12025550123']])
    expect(await programs.read('stdin')).toBe(text)
  })

  it('passes the slot of the SIM', async () => {
    await termux({ slot: '1' }).send(message, signal)
    expect(await programs.calls('send')).toEqual([['-n', '+12025550123', '-s', '1']])
  })

  it('probes the app once, and again after a failure', async () => {
    const driver = termux()
    await driver.send(message, signal)
    await driver.send(message, signal)
    expect(await programs.calls('probe')).toHaveLength(1)
    await programs.add('termux-sms-send', 'exit 1')
    await expect(driver.send(message, signal)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(driver.send(message, signal)).rejects.toMatchObject({ kind: 'unknown' })
    expect(await programs.calls('probe')).toHaveLength(2)
  })

  it.each(['+1,2', '1 2', '-n', '', '*'])('never sends to %j', async destination => {
    const failure = termux().send({ ...message, destination }, signal)
    await expect(failure).rejects.toMatchObject({ kind: 'fail' })
    expect(await programs.calls('send')).toEqual([])
  })

  it.each([' ', '\n', '\t \r\n'])('%j fails, because Android would not send it', async text => {
    const failure = termux().send({ ...message, text }, signal)
    await expect(failure).rejects.toMatchObject({ kind: 'fail' })
  })

  it('without the program the error names the package to install', async () => {
    const driver = createDriver('termux', {}, { env: { PATH: programs.folder } })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(/termux-telephony-deviceinfo.*pkg install termux-api/),
    })
  })

  it('without the app the error names the app, and nothing is sent', async () => {
    await programs.add('termux-telephony-deviceinfo', 'exec sleep 60')
    await expect(termux({ timeout: '1' }).send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(/1 s\..* Termux:API/),
    })
    expect(await programs.calls('send')).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    [
      `echo '{"error": "Please grant the permission android.permission.SEND_SMS"}'`,
      'trouble',
      /android\.permission\.SEND_SMS\..* Termux:API/,
    ],
    [`echo '{"API_ERROR": "no"}'`, 'trouble', /Termux:API: no/],
    ['echo "termux-sms-send: illegal option -s"; exit 1', 'trouble', /illegal option/],
    ['echo who knows', 'unknown', /0: who knows/],
    ['echo broken pipe >&2; exit 255', 'unknown', /255: broken pipe/],
    ['kill -9 $$', 'unknown', /SIGKILL/],
  ])('%s is %s', async (script, kind, values) => {
    const driver = await withScript(script)
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(values),
    })
  })

  it('no answer is unknown', async () => {
    const driver = await withScript('exec sleep 60', { timeout: '1' })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('1 s'),
    })
  })

  it('health has the state of the SIM', async () => {
    expect(await termux().health?.()).toEqual({ ok: true, detail: 'SIM ready, network Foo Tel.' })
    await programs.add('termux-telephony-deviceinfo', `echo '{"sim_state": "absent"}'`)
    expect(await termux().health?.()).toEqual({
      ok: false,
      detail: 'SIM absent, network unknown.',
    })
    await programs.add('termux-telephony-deviceinfo', `echo '{"error": "Please grant it"}'`)
    expect(await termux().health?.()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('Please grant it'),
    })
  })
})
