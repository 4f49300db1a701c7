import { spawnSync } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import PhoneServiceInstall from '../../../commands/phone/service/install.js'
import PhoneServiceStatus from '../../../commands/phone/service/status.js'
import PhoneServiceUninstall from '../../../commands/phone/service/uninstall.js'
import PhoneSetup from '../../../commands/phone/setup.js'
import { saveProfile } from '../../../src/cli/profile/profile.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'
import { createServiceHome as createHome, hasAnalyze, measureExposure } from './service-rig.js'

const keys = ['--url', 'http://127.0.0.1:8080', '--secret-key', 'srs_x', '--app-key', 'srp_x']
const simulate = ['--driver', 'simulate', '--quiet', 'mon-fri 20:00-24:00']

describe('phone service install', () => {
  it('writes the unit without the keys, and starts it', async () => {
    const { env, unit, variables, called } = await createHome()
    const ran = await run(PhoneServiceInstall, ['--user', ...simulate, ...keys], { env })
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(unit('smsrelay-phone')) })
    const text = await readFile(unit('smsrelay-phone'), 'utf8')
    expect(text).toContain(`ExecStart=${process.execPath} `)
    expect(text).toContain('/bin/run.js phone --driver=simulate "--quiet=mon-fri 20:00-24:00"\n')
    expect(text).toContain(`EnvironmentFile=${variables('smsrelay-phone')}`)
    expect(text).not.toMatch(/srs_x|srp_x/)
    const path = variables('smsrelay-phone')
    expect(await readFile(path, 'utf8')).toContain('SMSRELAY_APP_KEY="srp_x"\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const now = ['--user daemon-reload', '--user enable --now smsrelay-phone.service']
    expect(await called()).toEqual(now)
    expect(ran.stderr).toContain('journalctl --user -u smsrelay-phone')
    expect(ran.stderr).toContain('loginctl enable-linger')
  })

  it('restarts a unit that it replaces', async () => {
    const { env, called } = await createHome()
    await run(PhoneServiceInstall, ['--user', ...simulate, ...keys], { env })
    await run(PhoneServiceInstall, ['--user', ...simulate, ...keys, '--json'], { env })
    expect((await called()).slice(2)).toEqual([
      ...['--user daemon-reload', '--user enable smsrelay-phone.service'],
      '--user restart smsrelay-phone.service',
    ])
  })

  it('a user unit reads its setup and profile when it starts', async () => {
    const { env, unit, variables } = await createHome()
    const profile = { url: 'http://127.0.0.1:8080', secret_key: 'srs_x', app_key: 'srp_x' }
    await saveProfile('default', profile, env.SMSRELAY_CONFIG_DIR)
    const modem = ['--driver', 'modem', '--option', 'device=tcp://h:1', '--option', 'pin=4711']
    await run(PhoneSetup, ['stick', ...modem], { env })
    const argv = ['--user', '--use', 'stick', '--rate', '5/min']
    expect((await run(PhoneServiceInstall, argv, { env })).code).toBe(0)
    const text = await readFile(unit('smsrelay-phone-stick'), 'utf8')
    expect(text).toMatch(/run\.js phone --use=stick --rate=5\/min\n/)
    const values = await readFile(variables('smsrelay-phone-stick'), 'utf8')
    expect(values).not.toMatch(/srp_x|4711/)
    expect(values).toContain(`SMSRELAY_CONFIG_DIR="${env.SMSRELAY_CONFIG_DIR}"`)
  })

  it('secrets of options and of the environment go to the file of variables', async () => {
    const { env, unit, variables } = await createHome()
    const textbee = ['--driver', 'http', '--option', 'preset=textbee']
    const given = { env: { ...env, TEXTBEE_API_KEY: 'tb_key', OTHER: 'no' } }
    await run(PhoneServiceInstall, ['--user', ...textbee, ...keys], given)
    const values = await readFile(variables('smsrelay-phone'), 'utf8')
    expect(values).toContain('TEXTBEE_API_KEY="tb_key"')
    expect(values).not.toContain('OTHER')
    const exec = ['--driver', 'exec', '--command', '/bin/true']
    await run(PhoneServiceInstall, ['--user', ...exec, ...keys], given)
    expect(await readFile(variables('smsrelay-phone'), 'utf8')).not.toMatch(/OTHER|TEXTBEE|^PATH/m)
    const modem = ['--driver', 'modem', '--option', 'device=/dev/ttyUSB2', '--option', 'pin=4711']
    await run(PhoneServiceInstall, ['--user', ...modem, ...keys], { env })
    expect(await readFile(unit('smsrelay-phone'), 'utf8')).not.toContain('4711')
    expect(await readFile(variables('smsrelay-phone'), 'utf8')).toContain('SMSRELAY_SIM_PIN="4711"')
  })

  it('--print prints the unit and changes nothing', async () => {
    const { env, unit, called } = await createHome()
    const modem = ['--driver', 'modem', '--option', 'device=/dev/ttyUSB2']
    const ran = await run(PhoneServiceInstall, ['--system', ...modem, ...keys, '--print'], { env })
    expect(ran.code).toBe(0)
    for (const line of ['DynamicUser=yes', 'StateDirectory=smsrelay-phone', 'KillMode=mixed']) {
      expect(ran.stdout).toContain(`${line}\n`)
    }
    const groups = await readFile('/etc/group', 'utf8').catch(() => '')
    const has = /^(dialout|uucp):/m.test(groups)
    expect(/^SupplementaryGroups=(dialout|uucp)$/m.test(ran.stdout)).toBe(has)
    expect(ran.stdout).not.toMatch(/PrivateDevices|ProtectClock|MemoryDenyWriteExecute|srp_x/)
    await expect(stat(unit('smsrelay-phone'))).rejects.toThrow('ENOENT')
    expect(await called()).toEqual([''])
  })

  it('without a running systemd it prints the commands to type', async () => {
    const { env, unit, called } = await createHome({ state: 'offline' })
    const ran = await run(PhoneServiceInstall, ['--user', ...simulate, ...keys], { env })
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('systemctl --user enable'),
    })
    expect((await stat(unit('smsrelay-phone'))).mode & 0o777).toBe(0o644)
    expect(await called()).toEqual([''])
  })

  it('an error of systemctl is shown', async () => {
    const { env } = await createHome({ status: 1 })
    const ran = await run(PhoneServiceInstall, ['--user', ...simulate, ...keys], { env })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Unit is masked.') })
  })

  it('a file of another program stays unchanged', async () => {
    const { env, unit, called } = await createHome()
    const path = unit('smsrelay-phone')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '[Unit]\n')
    const argv = ['--user', ...simulate, ...keys]
    expect((await run(PhoneServiceInstall, argv, { env })).code).toBe(1)
    expect((await run(PhoneServiceUninstall, ['--user'], { env })).code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe('[Unit]\n')
    expect(await called()).toEqual([''])
  })

  it.each([
    ['both scopes', ['--user', '--system', ...simulate]],
    ['an incomplete driver', ['--user', '--driver', 'modem']],
    ['no driver', ['--user']],
    [
      'a secret header',
      ['--user', '--driver', 'http', '--option', 'url=http://h', '--option', 'header.X-Key=abc'],
    ],
    ['KDE Connect in a system unit', ['--system', '--driver', 'kdeconnect', '--option', 'name=P']],
    ['Termux', ['--user', '--driver', 'termux']],
    ['--run-as in a user unit', ['--user', '--run-as', 'ann', ...simulate]],
  ])('%s is a usage error, and writes nothing', async (_, argv) => {
    const { env, unit } = await createHome()
    expect((await run(PhoneServiceInstall, [...argv, ...keys, '--print'], { env })).code).toBe(2)
    expect((await run(PhoneServiceInstall, [...argv, ...keys], { env })).code).toBe(2)
    await expect(stat(unit('smsrelay-phone'))).rejects.toThrow('ENOENT')
  })

  it.skipIf(!hasAnalyze).each([
    ['--system', ['--driver', 'modem', '--option', 'device=/dev/ttyUSB2']],
    [
      '--system',
      ['--driver', 'exec', '--command', `/bin/echo "a b" '$x %h;'`, '--journal', '/tmp'],
    ],
    ['--user', [...simulate, '--option', 'incoming-text=50% $HOME "quoted" \\ ; ü']],
  ])('systemd accepts the unit of %s %j', async (scope, argv) => {
    const { env } = await createHome()
    const ran = await run(PhoneServiceInstall, [scope, ...argv, ...keys, '--print'], { env })
    const path = join(await temporaryFolder(), 'smsrelay-phone.service')
    await writeFile(path, ran.stdout)
    const verify = [
      'verify',
      ...(scope === '--user' ? ['--user'] : []),
      '--recursive-errors=no',
      path,
    ]
    const { stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
    const ours = stderr.split('\n').filter(line => line.includes('smsrelay-phone'))
    expect(ours).toEqual([])
  })
})

it.skipIf(!hasAnalyze)('the exposure of the unit of a modem is at most 2.0', async () => {
  const { env } = await createHome()
  const modem = ['--driver', 'modem', '--option', 'device=/dev/ttyUSB2']
  const ran = await run(PhoneServiceInstall, ['--system', ...modem, ...keys, '--print'], { env })
  const path = join(await temporaryFolder(), 'smsrelay-phone.service')
  await writeFile(path, ran.stdout)
  expect(measureExposure(path)).toBeLessThanOrEqual(2)
})

describe('phone service uninstall', () => {
  it('stops the unit and removes its files', async () => {
    const { env, unit, variables, called } = await createHome()
    await run(PhoneServiceInstall, ['--user', ...simulate, ...keys], { env })
    expect((await run(PhoneServiceUninstall, ['--user'], { env })).code).toBe(0)
    await expect(stat(unit('smsrelay-phone'))).rejects.toThrow('ENOENT')
    await expect(stat(variables('smsrelay-phone'))).rejects.toThrow('ENOENT')
    expect((await called()).slice(2)).toEqual([
      ...['--user disable --now smsrelay-phone.service', '--user daemon-reload'],
    ])
    expect((await run(PhoneServiceUninstall, ['--user'], { env })).code).toBe(5)
  })
})

describe('phone service status', () => {
  it('shows the state of the service of a setup', async () => {
    const { env, unit } = await createHome({ show: ['ActiveState=failed', 'NRestarts=3'] })
    const argv = ['--user', '--use', 'stick', ...simulate, ...keys]
    await run(PhoneSetup, ['stick', ...simulate], { env })
    await run(PhoneServiceInstall, argv, { env })
    const shown = await run(PhoneServiceStatus, ['--user', '--use', 'stick', '--json'], { env })
    expect(shown.code).toBe(6)
    expect(JSON.parse(shown.stdout)).toEqual({
      ...{ unit: 'smsrelay-phone-stick', scope: 'user', file: unit('smsrelay-phone-stick') },
      ...{ state: 'failed', restarts: 3 },
    })
    expect((await run(PhoneServiceStatus, ['--user'], { env })).code).toBe(5)
  })
})
