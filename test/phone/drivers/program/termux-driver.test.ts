import { beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { awkward, type StandIns, standIns } from '../stand-ins.js'

const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }
const device = `printf '{"sim_state": "ready", "network_operator_name": "Foo Tel"}\\n'`

let programs: StandIns
beforeEach(async () => {
  programs = await standIns()
  await programs.add('termux-telephony-deviceinfo', `note probe "$@"\n${device}`)
  await programs.add('termux-sms-send', `note send "$@"\ncat > "$here/stdin"`)
})

function termux(options: Record<string, string> = {}): Driver {
  return createDriver('termux', options, { env: programs.env })
}

/** What `termux-sms-send` does in place of what it does. */
async function failing(script: string, options: Record<string, string> = {}): Promise<Driver> {
  await programs.add('termux-sms-send', script)
  return termux(options)
}

describe('termux', () => {
  it.each(awkward)('sends %j untouched through stdin', async text => {
    expect(await termux().send({ ...message, text }, signal)).toEqual({})
    expect(await programs.calls('send')).toEqual([['-n', '+12025550123']])
    expect(await programs.read('stdin')).toBe(text)
  })

  it('names the SIM by its slot', async () => {
    await termux({ slot: '1' }).send(message, signal)
    expect(await programs.calls('send')).toEqual([['-n', '+12025550123', '-s', '1']])
  })

  it('asks the app once, and again after a failure', async () => {
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

  it.each([' ', '\n', '\t \r\n'])('refuses %j, which Android would not send', async text => {
    const failure = termux().send({ ...message, text }, signal)
    await expect(failure).rejects.toMatchObject({
      kind: 'fail',
      message: 'Android sends no empty text.',
    })
  })

  it('says what to install where there is no program', async () => {
    const driver = createDriver('termux', {}, { env: { PATH: programs.folder } })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message:
        'There is no program termux-telephony-deviceinfo. Install it in Termux: pkg install termux-api.',
    })
  })

  it('says what to install where the app is missing, and sends nothing', async () => {
    await programs.add('termux-telephony-deviceinfo', 'exec sleep 60')
    await expect(termux({ timeout: '1' }).send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(
        /not ended after 1 s\. Install the app Termux:API .* allow it SMS and Phone/,
      ),
    })
    expect(await programs.calls('send')).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    [
      `echo '{"error": "Please grant the following permission to use this command: android.permission.SEND_SMS"}'`,
      'trouble',
      /android\.permission\.SEND_SMS\. Install the app Termux:API/,
    ],
    [`echo '{"API_ERROR": "no"}'`, 'trouble', /Termux:API: no/],
    ['echo "termux-sms-send: illegal option -s"; exit 1', 'trouble', /illegal option/],
    ['echo who knows', 'unknown', /exit status 0: who knows/],
    ['echo broken pipe >&2; exit 255', 'unknown', /exit status 255: broken pipe/],
    ['kill -9 $$', 'unknown', /killed by SIGKILL/],
  ])('%s is told as %s', async (script, kind, sentence) => {
    const driver = await failing(script)
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(sentence),
    })
  })

  it('does not know what became of a text it had no answer for', async () => {
    const driver = await failing('exec sleep 60', { timeout: '1' })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringMatching(/not ended after 1 s/),
    })
  })

  it('tells the state of the SIM', async () => {
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
