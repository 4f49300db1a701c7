import { spawnSync } from 'node:child_process'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import ServeServiceInstall from '../../../commands/serve/service/install.js'
import ServeServiceStatus from '../../../commands/serve/service/status.js'
import ServeServiceUninstall from '../../../commands/serve/service/uninstall.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'
import { createServiceHome, hasAnalyze, measureExposure } from './service-rig.js'

async function writeConfig(...lines: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'relay.toml')
  await writeFile(path, lines.join('\n'))
  return path
}

/** Prints the unit of a system service. */
async function printUnit(argv: readonly string[] = [], version = 252): Promise<string> {
  const { env } = await createServiceHome({ version })
  const ran = await run(ServeServiceInstall, ['--system', '--print', ...argv], { env })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}

describe('serve service install', () => {
  it('--user writes a unit that reads the configuration, and starts it', async () => {
    const { env, unit, called } = await createServiceHome()
    const config = await writeConfig('port = 8090', 'metrics-port = 9464')
    const argv = ['--user', '--config', config]
    const ran = await run(ServeServiceInstall, argv, { env: { ...env, SMSRELAY_PORT: '1' } })
    expect(ran).toMatchObject({ code: 0, stdout: `Started: ${unit('smsrelay')}\n` })
    expect(ran.stderr).toContain('journalctl --user -u smsrelay -f')
    expect(ran.stderr).toContain('loginctl enable-linger')
    const text = await readFile(unit('smsrelay'), 'utf8')
    expect(text).toContain(`/bin/run.js serve --config=${config}\n`)
    expect(text).toContain(`EnvironmentFile=-${join(env.SMSRELAY_CONFIG_DIR, 'serve.env')}\n`)
    expect(text).toContain('ExecReload=/bin/kill -HUP $MAINPID\n')
    expect(text).not.toMatch(/DynamicUser|StateDirectory|ProtectSystem/)
    const variables = await readFile(join(env.SMSRELAY_CONFIG_DIR, 'smsrelay.env'), 'utf8')
    expect(variables).toContain(`SMSRELAY_CONFIG_DIR="${env.SMSRELAY_CONFIG_DIR}"`)
    expect(variables).not.toContain('SMSRELAY_PORT')
    const started = ['--user daemon-reload', '--user enable --now smsrelay.service']
    expect(await called()).toEqual(started)
  })

  it('--system has its records in a state directory of a dynamic user', async () => {
    const text = await printUnit()
    for (const line of [
      ...[
        'DynamicUser=yes',
        'Environment=HOME=/',
        'StateDirectory=smsrelay',
        'StateDirectoryMode=0700',
      ],
      ...['ProtectHome=yes', 'CapabilityBoundingSet=', 'PrivateUsers=yes', 'TimeoutStopSec=60'],
      'EnvironmentFile=-/etc/smsrelay/serve.env',
    ]) {
      expect(text).toContain(`\n${line}\n`)
    }
    expect(text).not.toContain('MemoryDenyWriteExecute')
  })

  it.each([
    [252, 'Type=exec', 'Type=notify'],
    [253, 'Type=notify', 'Type=exec'],
  ])('systemd %i gets %s', async (version, type, other) => {
    const text = await printUnit([], version)
    expect(text).toContain(`\n${type}\n`)
    expect(text).not.toContain(other)
    const lines = 'OpenFile=/run/systemd/notify:notify\nWatchdogSec=60\n'
    expect(text.includes(lines)).toBe(version === 253)
  })

  it.each([
    ['port = 443', true],
    ['smtp-port = 25', true],
    ['port = 0', false],
    ['port = 8443', false],
  ])('with %s it may bind a port below 1024: %s', async (line, isAllowed) => {
    const text = await printUnit(['--config', await writeConfig(line)])
    expect(text.includes('\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n')).toBe(isAllowed)
    expect(text.includes('\nPrivateUsers=yes\n')).toBe(!isAllowed)
  })

  it('--run-as may write the data directory of the configuration', async () => {
    const config = await writeConfig('data = "/srv/sms relay"')
    await chmod(config, 0o600)
    const text = await printUnit(['--config', config, '--run-as', 'sms'])
    expect(text).toContain('\nUser=sms\n')
    expect(text).toContain('\nReadWritePaths="/srv/sms relay"\n')
    const home = await writeConfig('data = "/home/sms/data"')
    expect(await printUnit(['--config', home, '--run-as', 'sms'])).toContain(
      '\nProtectHome=read-only\n',
    )
  })

  it.each<[string, string[], string[], string]>([
    ['a wrong setting', ['port = "8080"'], [], 'relay.toml:1: port: The value must be a whole'],
    ['a data directory of nobody', ['data = "/srv/x"'], [], 'Name its owner with --run-as'],
    ['--run-as with --user', [], ['--user', '--run-as', 'ann'], 'Remove --run-as'],
    [
      'a certificate that does not exist',
      ['tls-cert = "/none.pem"', 'tls-key = "/none.pem"'],
      ['--user'],
      'relay.toml:1: tls-cert: ',
    ],
    ['no such user name', [], ['--run-as', 'a b'], 'not "a b"'],
  ])('%s is a usage error, and changes nothing', async (_, lines, argv, message) => {
    const { env, called } = await createServiceHome()
    const scope = argv.includes('--user') ? [] : ['--system', '--print']
    const config = await writeConfig(...lines)
    const ran = await run(ServeServiceInstall, [...scope, ...argv, '--config', config], { env })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(await called()).toEqual([''])
  })

  it('a configuration that only root can read is a usage error', async () => {
    const { env } = await createServiceHome()
    const config = await writeConfig('port = 8080')
    await chmod(config, 0o600)
    const ran = await run(ServeServiceInstall, ['--system', '--print', '--config', config], { env })
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/etc/smsrelay/serve.env'),
    })
  })

  it('a key that only its owner can read needs --run-as', async () => {
    const { env } = await createServiceHome()
    const key = join(await temporaryFolder(), 'key.pem')
    await writeFile(key, '', { mode: 0o600 })
    const config = await writeConfig(`tls-cert = "${key}"`, `tls-key = "${key}"`)
    const argv = ['--system', '--print', '--config', config]
    const ran = await run(ServeServiceInstall, argv, { env })
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('with --run-as') })
    expect((await run(ServeServiceInstall, [...argv, '--run-as', 'sms'], { env })).code).toBe(0)
  })

  it.skipIf(!hasAnalyze).each([
    ['default settings', []],
    ['a port below 1024', ['port = 443']],
    ['a data directory at home', ['data = "/home/sms/data"']],
  ])('the exposure of the unit with %s is at most 2.0', async (_, lines) => {
    const config = await writeConfig(...lines)
    const text = await printUnit(['--config', config, '--run-as', 'sms'])
    const path = join(await temporaryFolder(), 'smsrelay.service')
    await writeFile(path, text)
    expect(measureExposure(path)).toBeLessThanOrEqual(2)
    const verify = ['verify', '--recursive-errors=no', path]
    const { stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
    expect(stderr.split('\n').filter(line => line.includes('smsrelay.service'))).toEqual([])
  })
})

describe('serve service uninstall', () => {
  it('stops the unit and leaves configuration and secrets', async () => {
    const { env, unit, called } = await createServiceHome()
    const config = await writeConfig()
    await run(ServeServiceInstall, ['--user', '--config', config], { env })
    const secrets = join(env.SMSRELAY_CONFIG_DIR, 'serve.env')
    await writeFile(secrets, 'SMSRELAY_METRICS_TOKEN=0123456789abcdef\n')
    const removed = await run(ServeServiceUninstall, ['--user'], { env })
    expect(removed).toMatchObject({ code: 0, stdout: 'Removed the service smsrelay.\n' })
    await expect(stat(unit('smsrelay'))).rejects.toThrow('ENOENT')
    await Promise.all([stat(config), stat(secrets)])
    expect((await called()).slice(2)).toEqual([
      ...['--user disable --now smsrelay.service', '--user daemon-reload'],
    ])
    expect((await run(ServeServiceUninstall, ['--user'], { env })).code).toBe(5)
  })
})

describe('serve service status', () => {
  it('shows state, process and log', async () => {
    const show = ['ActiveState=active', 'MainPID=4711', 'ActiveEnterTimestamp=@1790000000']
    const { env, unit } = await createServiceHome({ show: [...show, 'NRestarts=0'] })
    await run(ServeServiceInstall, ['--user'], { env })
    const shown = await run(ServeServiceStatus, ['--user'], { env })
    expect(shown.code).toBe(0)
    expect(shown.stdout.split('\n').map(line => line.replace(/ +/g, ' '))).toEqual([
      'service smsrelay (user)',
      'state active since 2026-09-21 14:13:20 UTC',
      'pid 4711',
      `file ${unit('smsrelay')}`,
      'log journalctl --user -u smsrelay -f',
      '',
    ])
  })

  it('without a running systemd the state is unknown', async () => {
    const { env } = await createServiceHome({ state: 'offline' })
    await run(ServeServiceInstall, ['--user'], { env })
    const shown = await run(ServeServiceStatus, ['--user', '--json'], { env })
    expect(shown.code).toBe(6)
    expect(JSON.parse(shown.stdout).state).toBe('unknown: systemd is not running here')
  })

  it('without a service names the file that is missing', async () => {
    const { env, unit } = await createServiceHome()
    const shown = await run(ServeServiceStatus, ['--user'], { env })
    expect(shown).toMatchObject({ code: 5, stderr: expect.stringContaining(unit('smsrelay')) })
  })
})
