import { existsSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { awkward, createStandIns, type StandIns } from '../stand-ins.js'

const { signal } = new AbortController()
const message = { id: 'a', destination: '+12025550123', text: 'Hello' }
const path = '/org/freedesktop/ModemManager1/SMS/21'
const created = `echo "Successfully created new SMS: ${path}"`
const bothQuotes = (text: string) => text.includes("'") && text.includes('"')

/** Commands of sh for each kind of call. */
interface Script {
  readonly create?: string
  readonly send?: string
  readonly state?: string
  readonly remove?: string
  readonly modem?: string
}

let programs: StandIns
beforeEach(async () => {
  programs = await createStandIns()
})

async function mmcli(script: Script = {}, options: Record<string, string> = {}): Promise<Driver> {
  const { create = created, send = 'echo successfully sent the SMS' } = script
  await programs.add(
    'mmcli',
    `note mmcli "$@"
note locale "$LC_ALL"
for each; do case $each in --messaging-create-sms-with-text=*) cat "\${each#*=}" > "$here/text"
ls -l "\${each#*=}" > "$here/mode";; esac; done
case "$*" in
  *--messaging-create-sms*) ${create};;
  *--send*) ${send};;
  *--messaging-delete-sms*) ${script.remove ?? 'echo successfully deleted SMS from modem'};;
  -s*) ${script.state ?? 'echo "sms.properties.state : unknown"'};;
  *) ${script.modem ?? 'exit 1'};;
esac`,
  )
  return createDriver('mmcli', options, { env: programs.env })
}

/**
 * Parses `key=value,…` like libmm-glib: a quoted value ends at the next quote of its kind, any
 * other at a comma.
 */
function parseProperties(properties: string): Record<string, string> {
  const pattern = /\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\s]*))\s*(,|$)/gy
  const all: Record<string, string> = {}
  for (let at = 0; at < properties.length; at = pattern.lastIndex) {
    const found = pattern.exec(properties)
    if (found === null) throw new Error(`Unexpected content in ${properties}`)
    all[found[1] ?? ''] = found[2] ?? found[3] ?? found[4] ?? ''
  }
  return all
}

describe('mmcli', () => {
  it.each(awkward.filter(text => !bothQuotes(text)))('sends %j as a property', async text => {
    expect(await (await mmcli()).send({ ...message, text }, signal)).toEqual({})
    const [create, ...others] = await programs.calls('mmcli')
    expect(create?.slice(0, 2)).toEqual(['-m', 'any'])
    expect(create).toHaveLength(3)
    const properties = (create?.[2] ?? '').replace(/^--messaging-create-sms=/, '')
    expect(parseProperties(properties)).toEqual({ number: '+12025550123', text })
    expect(others).toEqual([
      ['-s', path, '--send', '--timeout=60'],
      ['-m', 'any', `--messaging-delete-sms=${path}`],
    ])
    expect((await programs.calls('locale'))[0]).toEqual(['C.UTF-8'])
  })

  it.each(awkward.filter(bothQuotes))('sends %j through a file', async text => {
    await (await mmcli()).send({ ...message, text }, signal)
    const [create] = await programs.calls('mmcli')
    expect(create?.[2]).toBe('--messaging-create-sms=number=+12025550123')
    expect(await programs.read('text')).toBe(text)
    expect(await programs.read('mode')).toMatch(/^-rw------- /)
    expect(existsSync((create?.[3] ?? '').replace(/^[^=]*=/, ''))).toBe(false)
  })

  it('an mmcli without that option fails such a text', async () => {
    const create = `echo "error: Unknown option --messaging-create-sms-with-text=/x" >&2; exit 1`
    const failure = (await mmcli({ create })).send({ ...message, text: `'"` }, signal)
    await expect(failure).rejects.toMatchObject({
      kind: 'fail',
      message: expect.stringMatching(/ModemManager/),
    })
  })

  it('finds the path in each form of the output', async () => {
    const create = `printf 'Successfully created new SMS:\\n\\t${path} (unknown)\\n'`
    await (await mmcli({ create }, { modem: '3', timeout: '5' })).send(message, signal)
    expect((await programs.calls('mmcli')).slice(1)).toEqual([
      ['-s', path, '--send', '--timeout=5'],
      ['-m', '3', `--messaging-delete-sms=${path}`],
    ])
  })

  const gdbus = 'GDBus.Error:org.freedesktop'
  it.each<[string, string, RegExp]>([
    [`error: couldn't get bus: Could not connect`, 'trouble', /systemctl start ModemManager/],
    [`error: couldn't find modem at '/x/0'`, 'trouble', /mmcli -L/],
    ['error: modem not enabled yet', 'trouble', /--enable/],
    ['error: modem has no messaging capabilities', 'trouble', /modem/],
    [`error: cannot parse properties string: 'x'`, 'fail', /cannot parse/],
    [`couldn't create: '${gdbus}.ModemManager1.Error.Core.InvalidArgs: x'`, 'fail', /Args/],
    [`couldn't create: '${gdbus}.DBus.Error.AccessDenied: x'`, 'trouble', /polkit/],
    [`couldn't create: '${gdbus}.ModemManager1.Error.Core.Failed: x'`, 'trouble', /Failed/],
  ])('an error at creation: %s is %s', async (output, kind, values) => {
    const driver = await mmcli({ create: `echo "${output}" >&2; exit 1` })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(values),
    })
    expect(await programs.calls('mmcli')).toHaveLength(1)
  })

  it.each<[string, string, string, number]>([
    [`${gdbus}.ModemManager1.Error.Message.NetworkTimeout: x`, 'unknown', 'unknown', 3],
    [`${gdbus}.ModemManager1.Error.Message.NoNetwork: x`, 'unknown', 'trouble', 3],
    [`${gdbus}.ModemManager1.Error.Message.SimPin: x`, 'unknown', 'trouble', 3],
    [`${gdbus}.ModemManager1.Error.Message.MeFailure: x`, 'unknown', 'unknown', 3],
    [`${gdbus}.ModemManager1.Error.Core.InvalidArgs: x`, 'unknown', 'fail', 3],
    [`${gdbus}.DBus.Error.NoReply: x`, 'sending', 'unknown', 3],
    ['Timeout was reached', 'sending', 'unknown', 3],
  ])('an error at sending: %s with state %s is %s', async (output, state, kind, calls) => {
    const driver = await mmcli({
      send: `echo "error: couldn't send the SMS: '${output}'" >&2; exit 1`,
      state: `echo "sms.properties.state                 : ${state}"`,
    })
    await expect(driver.send(message, signal)).rejects.toMatchObject({ kind })
    const all = await programs.calls('mmcli')
    expect(all).toHaveLength(calls)
    // A text that may still be sent is not deleted.
    expect(all.at(-1)?.join(' ').includes('delete')).toBe(kind !== 'unknown')
  })

  it('without an answer the state of the text decides', async () => {
    const driver = await mmcli({
      send: `echo "Timeout was reached" >&2; exit 1`,
      state: `echo "sms.properties.state : sent"`,
    })
    expect(await driver.send(message, signal)).toEqual({})
  })

  it('after the timeout the state of the text decides', async () => {
    const state = `echo "sms.properties.state : sent"`
    const driver = await mmcli({ send: 'exec sleep 60', state }, { timeout: '1' })
    expect(await driver.send(message, signal)).toEqual({})
  })

  it('a text that cannot be deleted counts as sent', async () => {
    const driver = await mmcli({ remove: 'exit 1' })
    expect(await driver.send(message, signal)).toEqual({})
  })

  it.each([
    ['create', 'retry'],
    ['send', 'unknown'],
  ])('killed at %s is %s', async (step, kind) => {
    const driver = await mmcli({ [step]: 'kill -9 $$' })
    await expect(driver.send(message, signal)).rejects.toMatchObject({ kind })
  })

  it('without the program the error names the package to install', async () => {
    const driver = createDriver('mmcli', {}, { env: { PATH: programs.folder } })
    await expect(driver.send(message, signal)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('apt install modemmanager'),
    })
  })

  it('health has the state of the modem', async () => {
    const lines = [
      'modem.generic.state                  : registered',
      'modem.generic.signal-quality.value   : 67',
      'modem.3gpp.operator-name             : Foo Tel',
      'modem.3gpp.registration-state        : roaming',
    ]
    const driver = await mmcli({ modem: lines.map(line => `echo "${line}"`).join('\n') })
    expect(await driver.health?.()).toEqual({
      ok: true,
      detail: 'Modem registered, network Foo Tel (roaming), signal 67 %.',
    })
    expect(await (await mmcli({ modem: 'echo modem.generic.state : locked' })).health?.()).toEqual({
      ok: false,
      detail: 'Modem locked, network unknown (unknown), signal unknown %.',
    })
    const smsOnly = ['generic.state : enabled', '3gpp.registration-state : home-sms-only']
    const limited = await mmcli({ modem: smsOnly.map(line => `echo "modem.${line}"`).join('\n') })
    expect(await limited.health?.()).toMatchObject({ ok: true })
    const failed = ['generic.state : failed', 'generic.state-failed-reason : sim-missing']
    const broken = await mmcli({ modem: failed.map(line => `echo "modem.${line}"`).join('\n') })
    expect(await broken.health?.()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('failed (sim-missing)'),
    })
    const away = await mmcli({ modem: `echo "error: couldn't find modem at 'any'" >&2; exit 1` })
    expect(await away.health?.()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('mmcli -L'),
    })
  })

  it('what has no text is ignored and deleted, and what is not complete stays', async () => {
    const show = (state: string, data: string, text: string) =>
      [`properties.state : ${state}`, `content.data : ${data}`, `content.text : ${text}`]
        .map(line => `echo "sms.${line}"`)
        .join('; ')
    const path = '/org/freedesktop/ModemManager1/SMS'
    await programs.add(
      'mmcli',
      `note mmcli "$@"
case "$*" in
  *delete*) ;;
  *list-sms*) for n in 1 2 3; do echo "modem.messaging.sms.value[$n] : ${path}/$n"; done;;
  *SMS/1*) ${show('receiving', '--', '--')};;
  *SMS/2*) ${show('received', '--', '--')};;
  *SMS/3*) ${show('received', '--', 'Hello')};;
esac`,
    )
    const driver = createDriver('mmcli', { poll: '5s' }, { env: programs.env })
    const seen: string[] = []
    driver.listen?.({
      onText: ({ text }) => void seen.push(text),
      onReceipt: () => {},
      onIgnored: ({ content }) => void seen.push(content),
    })
    const stop = new AbortController()
    await driver.watches?.[0]?.run(() => stop.abort(), stop.signal)
    expect(seen).toEqual(['nothing', 'Hello'])
    const calls = (await programs.calls('mmcli')).map(each => each.join(' '))
    expect(calls.filter(each => each.includes('delete'))).toEqual([
      `-m any --messaging-delete-sms=${path}/2`,
      `-m any --messaging-delete-sms=${path}/3`,
    ])
  })

  it('a USSD code gives the reply, and the dialogue is ended', async () => {
    const driver = await mmcli({
      modem: `case "$*" in *initiate*) printf "USSD session initiated; new reply from network: \
'It's 5.00\nBye'\n";; esac`,
    })
    expect(await driver.queryUssd?.('*100#', signal)).toBe("It's 5.00\nBye")
    expect(await programs.calls('mmcli')).toEqual([
      ['-m', 'any', '--3gpp-ussd-initiate=*100#'],
      ['-m', 'any', '--3gpp-ussd-cancel'],
    ])
    const refused = await mmcli({ modem: `echo "error: modem not enabled yet" >&2; exit 1` })
    await expect(refused.queryUssd?.('*100#', signal)).rejects.toMatchObject({ kind: 'trouble' })
  })
})
