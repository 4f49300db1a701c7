import { beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createStandIns, type StandIns } from '../stand-ins.js'

const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }
const breakHint = 'echo "If you want break, press Ctrl+C..." >&2\n'
const answer = '....waiting for network answer..OK, message reference='

let programs: StandIns
beforeEach(async () => {
  programs = await createStandIns()
})

async function gammu(script: string, options: Record<string, string> = {}): Promise<Driver> {
  const locale = 'note locale "$LC_ALL" "$LANGUAGE"\n'
  await programs.add('gammu', `note gammu "$@"\n${locale}${breakHint}${script}`)
  return createDriver('gammu', options, { env: programs.env })
}

/** Imitates the output of gammu 1.42 for a text with so many parts. */
function printSent(parts: number): string {
  const lines = Array.from(
    { length: parts },
    (_, n) => `Sending SMS ${n + 1}/${parts}${answer}${n}`,
  )
  return lines.map(line => `echo "${line}"`).join('\n')
}

describe('gammu', () => {
  it.each([1, 2, 25])('%d accepted parts are counted', async parts => {
    expect(await (await gammu(printSent(parts))).send(message, signal)).toEqual({ parts })
  })

  it('parts of the dummy phone, which answers before the wait, are counted', async () => {
    const sent = 'Sending SMS 1/1..OK, message reference=255'
    const script = `printf '${sent}\\n…waiting for network answer'`
    expect(await (await gammu(script)).send(message, signal)).toEqual({ parts: 1 })
  })

  it.each([
    ['Hello', ['-textutf8', 'Hello']],
    ['-unicode', ['-textutf8', '-unicode']],
    ['a~b € ñ', ['-textutf8', 'a~b € ñ']],
    ['ж~~', ['-unicode', '-textutf8', 'ж~~~~']],
    ['😀\n', ['-unicode', '-textutf8', '😀\n\n']],
  ])('%j is passed with these arguments', async (text, given) => {
    await (await gammu(printSent(1))).send({ ...message, text }, signal)
    const expected = ['sendsms', 'TEXT', '+12025550123', '-len', '4000', ...given]
    expect(await programs.calls('gammu')).toEqual([expected])
    expect(await programs.calls('locale')).toEqual([['C', '']])
  })

  it('the configuration and its section are passed', async () => {
    const driver = await gammu(printSent(1), { config: '/etc/gammurc', section: '2' })
    await driver.send(message, signal)
    const [args] = await programs.calls('gammu')
    expect(args?.slice(0, 5)).toEqual(['-c', '/etc/gammurc', '-s', '2', 'sendsms'])
  })

  it('a text whose doubled ~ would be split between two parts fails', async () => {
    const driver = await gammu(printSent(2))
    const cut = `${'ж'.repeat(66)}~жжжж`
    await expect(driver.send({ ...message, text: cut }, signal)).rejects.toMatchObject({
      kind: 'fail',
    })
    await driver.send({ ...message, text: `${'ж'.repeat(65)}~жжжж` }, signal)
    expect(await programs.calls('gammu')).toHaveLength(1)
  })

  it.each<[string, string, RegExp]>([
    [`${printSent(1)}\nexit 1`, 'unknown', /1 of 1/],
    [
      [
        `echo "Sending SMS 1/2${answer}4"`,
        'echo "Sending SMS 2/2..error 38, message reference=-1"; exit 255',
      ].join('\n'),
      'unknown',
      /1 of 2/,
    ],
    ['printf "Sending SMS 1/1"; echo "Error." >&2; exit 114', 'unknown', /114: .*Error\./],
    ['printf "Sending SMS 1/1"; exit 131', 'trouble', /131.*gammu setsmsc/],
    ['printf "Sending SMS 1/1"; kill -9 $$', 'unknown', /killed by SIGKILL/],
    ['printf "Sending SMS 1/1....waiting"; exit 0', 'unknown', / 0/],
    ['echo "Sending SMS 1/1..error 28, message reference=-1"; exit 127', 'fail', /28/],
    ['echo "Sending SMS 1/1..error 38, message reference=-1"; exit 127', 'trouble', /38/],
    ['echo "Sending SMS 1/1..error 21, message reference=-1"; exit 127', 'retry', /21/],
    ['echo "Error opening device, it does not exist."; exit 104', 'trouble', /104: Error opening/],
    ['exit 106', 'trouble', /dialout/],
    ['exit 154', 'trouble', /gammu-config/],
    ['echo "Unknown parameter"; exit 2', 'fail', /Unknown parameter/],
    ['exit 144', 'fail', /144/],
    ['kill -9 $$', 'retry', /SIGKILL/],
  ])('%s is %s', async (script, kind, value) => {
    const driver = await gammu(script)
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(value),
    })
  })

  it.each([
    ['printf "Sending SMS 1/1"; sleep 60', 'unknown'],
    ['sleep 60', 'trouble'],
  ])('%s is stopped after the timeout and is %s', async (script, kind) => {
    const driver = await gammu(script, { timeout: '1' })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining('1 s'),
    })
  })

  it('only one text is sent at a time', async () => {
    const driver = await gammu(
      `mkdir "$here/busy" || exit 103\nsleep 0.1\n${printSent(1)}\nrmdir "$here/busy"`,
    )
    const texts = Array.from({ length: 4 }, () => driver.send(message, signal))
    expect(await Promise.all(texts)).toEqual(Array.from({ length: 4 }, () => ({ parts: 1 })))
  })

  it('without gammu the error names the package to install', async () => {
    const driver = createDriver('gammu', {}, { env: { PATH: programs.folder } })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('apt install gammu'),
    })
  })

  it.each([
    [
      'echo "Network state        : home network"; echo "Network              : 262 01 (Foo)"',
      { ok: true, detail: 'Network: home network, 262 01 (Foo).' },
    ],
    [
      'echo "Network state        : not logged into network"',
      { ok: false, detail: 'Network: not logged into network, none.' },
    ],
    ['exit 149', { ok: false, detail: expect.stringMatching(/149.*SIM/) }],
  ])('%s is reported as health', async (script, health) => {
    expect(await (await gammu(script)).health?.()).toEqual(health)
  })
})
