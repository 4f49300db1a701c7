import { spawnSync } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import PhoneSetup from '../../../commands/phone/setup.js'
import ServiceInstall from '../../../commands/service/install.js'
import ServiceUninstall from '../../../commands/service/uninstall.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'
import { createServiceHome, hasAnalyze, measureExposure } from './service-rig.js'

const keys = ['--url', 'http://127.0.0.1:8080', '--secret-key', 'srs_x', '--app-key', 'srp_x']
const modem = ['--driver', 'modem', '--option', 'device=/dev/ttyUSB2', '--option', 'pin=4711']
const isRoot = process.getuid?.() === 0

async function writeConfig(...lines: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'relay.toml')
  await writeFile(path, lines.join('\n'))
  return path
}

/** Saves a setup and installs its service for a user. */
async function installPhone(setup: readonly string[], environment: Record<string, string> = {}) {
  const home = await createServiceHome()
  const env = { ...home.env, ...environment }
  expect((await run(PhoneSetup, ['stick', ...setup], { env })).code).toBe(0)
  const ran = await run(ServiceInstall, ['stick', '--user', ...keys], { env })
  return { ...home, env, ran }
}

describe('the service of a phone', () => {
  it('has a unit without secrets, and its setup and keys in a private file', async () => {
    const { ran, unit, variables, called } = await installPhone([...modem, '--rate', '5/min'])
    expect(ran).toMatchObject({ code: 0, stdout: `Started: ${unit('smsrelay-phone-stick')}\n` })
    expect(ran.stderr).toContain('journalctl --user -u smsrelay-phone-stick -f')
    expect(ran.stderr).toContain('loginctl enable-linger')
    const text = await readFile(unit('smsrelay-phone-stick'), 'utf8')
    expect(text).toContain('/bin/run.js phone\n')
    expect(text).toContain(`EnvironmentFile=-${variables('phone-stick')}\n`)
    expect(text).not.toMatch(/srs_x|srp_x|4711|DynamicUser/)
    const values = await readFile(variables('phone-stick'), 'utf8')
    expect(values).toContain('SMSRELAY_APP_KEY="srp_x"\n')
    expect(values).toContain('SMSRELAY_OPTION="device=/dev/ttyUSB2\npin=4711"\n')
    expect(values).toContain('SMSRELAY_PHONE_RATE="5/min"\n')
    expect((await stat(variables('phone-stick'))).mode & 0o777).toBe(0o600)
    const enable = '--user enable smsrelay-phone-stick'
    const restart = '--user restart smsrelay-phone-stick'
    expect(await called()).toEqual(['--user daemon-reload', enable, restart])
  })

  it('has the variables that its driver reads, and no others', async () => {
    const secrets = { TEXTBEE_API_KEY: 'tb_key', OTHER: 'no' }
    const textbee = ['--driver', 'http', '--option', 'preset=textbee']
    const { variables } = await installPhone(textbee, secrets)
    const values = await readFile(variables('phone-stick'), 'utf8')
    expect(values).toContain('TEXTBEE_API_KEY="tb_key"')
    expect(values).not.toMatch(/OTHER|^PATH/m)
  })

  it('is stopped and removed with its files', async () => {
    const { env, unit, variables, called } = await installPhone(modem)
    expect((await run(ServiceUninstall, ['stick', '--user'], { env })).code).toBe(0)
    await expect(stat(unit('smsrelay-phone-stick'))).rejects.toThrow('ENOENT')
    await expect(stat(variables('phone-stick'))).rejects.toThrow('ENOENT')
    const disable = '--user disable --now smsrelay-phone-stick'
    expect((await called()).slice(3)).toEqual([disable, '--user daemon-reload'])
    expect((await run(ServiceUninstall, ['stick', '--user'], { env })).code).toBe(5)
  })

  it.each([
    ['an unknown setup', ['none'], 'There is no setup "none"'],
    ['Termux', ['stick'], 'Termux:Boot'],
  ])('%s is a usage error, and writes nothing', async (_, argv, message) => {
    const { env, called } = await createServiceHome()
    await run(PhoneSetup, ['stick', '--driver', 'termux'], { env })
    const ran = await run(ServiceInstall, [...argv, '--user', ...keys], { env })
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(await called()).toEqual([''])
  })
})

describe('the service of the relay', () => {
  it('reads its configuration, and starts', async () => {
    const { env, unit, called } = await createServiceHome()
    const config = await writeConfig('port = 8090')
    const ran = await run(ServiceInstall, ['--user', '--config', config], { env })
    expect(ran).toMatchObject({ code: 0, stdout: `Started: ${unit('smsrelay')}\n` })
    const text = await readFile(unit('smsrelay'), 'utf8')
    expect(text).toContain(`/bin/run.js serve --config=${config}\n`)
    expect(text).toContain(`EnvironmentFile=-${join(env.SMSRELAY_CONFIG_DIR, 'serve.env')}\n`)
    expect(text).toContain('ExecReload=/bin/kill -HUP $MAINPID\n')
    expect((await stat(unit('smsrelay'))).mode & 0o777).toBe(0o644)
    expect(await called()).toContain('--user restart smsrelay')
  })

  it.each([
    [252, 'Type=exec'],
    [253, 'Type=notify'],
  ])('tells systemd %i its state with %s', async (version, type) => {
    const { env } = await createServiceHome({ version })
    const { stdout } = await run(ServiceInstall, ['--user', '--print'], { env })
    expect(stdout).toContain(`\n${type}\n`)
    expect(stdout.includes('WatchdogSec=60')).toBe(version === 253)
  })

  it('is not started where systemd does not run, which says what to type', async () => {
    const { env, unit, called } = await createServiceHome({ state: 'offline' })
    const ran = await run(ServiceInstall, ['--user'], { env })
    expect(ran).toMatchObject({ code: 0, stdout: `Wrote: ${unit('smsrelay')}\n` })
    expect(ran.stderr).toContain('systemctl --user restart smsrelay')
    expect(await called()).toEqual([''])
  })

  it('an error of systemctl is shown', async () => {
    const { env } = await createServiceHome({ status: 1 })
    const ran = await run(ServiceInstall, ['--user'], { env })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Unit is masked.') })
  })

  it('a unit of another program stays as it is', async () => {
    const { env, unit, called } = await createServiceHome()
    await mkdir(dirname(unit('smsrelay')), { recursive: true })
    await writeFile(unit('smsrelay'), '[Unit]\n')
    expect((await run(ServiceInstall, ['--user'], { env })).code).toBe(1)
    expect((await run(ServiceUninstall, ['--user'], { env })).code).toBe(1)
    expect(await readFile(unit('smsrelay'), 'utf8')).toBe('[Unit]\n')
    expect(await called()).toEqual([''])
  })

  it('a wrong setting is a usage error, and writes nothing', async () => {
    const { env, called } = await createServiceHome()
    const config = await writeConfig('port = "8080"')
    const ran = await run(ServiceInstall, ['--user', '--config', config], { env })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('relay.toml:1: port: The value must be a whole')
    expect(await called()).toEqual([''])
  })
})

describe.runIf(isRoot)('a service of the machine', () => {
  /** Prints the unit of a service with these settings, or of a setup. */
  async function print(argv: readonly string[], ...settings: string[]) {
    const { env } = await createServiceHome()
    await run(PhoneSetup, ['stick', ...modem], { env })
    const config = settings.length === 0 ? [] : ['--config', await writeConfig(...settings)]
    return await run(ServiceInstall, ['--print', ...argv, ...config], { env })
  }

  it('has its records in the state directory of a dynamic user', async () => {
    const { stdout } = await print([])
    for (const line of ['DynamicUser=yes', 'StateDirectory=smsrelay', 'ProtectSystem=strict'])
      expect(stdout).toContain(`\n${line}\n`)
    expect(stdout).toContain('EnvironmentFile=-/etc/smsrelay/serve.env\n')
  })

  it.each([
    ['port = 443', true],
    ['port = 8443', false],
  ])('with %s it may bind a port below 1024: %s', async (line, isAllowed) => {
    const { stdout } = await print([], line)
    expect(stdout.includes('\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n')).toBe(isAllowed)
  })

  it('refuses a data directory that it cannot write', async () => {
    const ran = await print([], 'data = "/srv/x"')
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('/var/lib/smsrelay') })
  })

  it('of a modem sees its device', async () => {
    const { stdout } = await print(['stick', ...keys])
    expect(stdout).toContain('Environment=HOME=%S/smsrelay-phone-stick\n')
    expect(stdout).not.toMatch(/PrivateDevices|ProtectClock|srp_x|4711/)
  })

  it.skipIf(!hasAnalyze).each([['smsrelay'], ['smsrelay-phone-stick']])(
    'systemd accepts the unit %s, which exposes at most 2.0 of 10',
    async name => {
      const { stdout } = await print(name === 'smsrelay' ? [] : ['stick', ...keys])
      const path = join(await temporaryFolder(), `${name}.service`)
      await writeFile(path, stdout)
      const argv = ['verify', '--recursive-errors=no', path]
      const { stderr } = spawnSync('systemd-analyze', argv, { encoding: 'utf8' })
      expect(stderr.split('\n').filter(line => line.includes(name))).toEqual([])
      expect(measureExposure(path)).toBeLessThanOrEqual(2)
    },
  )
})
