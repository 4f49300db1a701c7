import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import ConfigCheck from '../../commands/config/check.js'
import ConfigShow from '../../commands/config/show.js'
import Serve from '../../commands/serve.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run, start } from './harness.js'

async function writeConfig(...lines: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'relay.toml')
  await writeFile(path, lines.join('\n'), { mode: 0o600 })
  return path
}

function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

async function show(argv: readonly string[], env: Record<string, string> = {}) {
  setEnvironment(env)
  const { stdout, stderr, code } = await run(ConfigShow, [...argv, '--json'], { env })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const shown: { key: string }[] = JSON.parse(stdout)
  return (key: string) => shown.find(each => each.key === key)
}

describe('config check', () => {
  test('checks the file of its argument, and says when it read none', async () => {
    const wrong = await writeConfig('prot = 1')
    const { code, stdout } = await run(ConfigCheck, [wrong])
    expect(code).toBe(2)
    expect(stdout).toContain(`${wrong}:1: prot`)
    expect((await run(ConfigCheck, [wrong, '--config', wrong])).stderr).toContain('combined')
    expect((await run(ConfigCheck, [])).stdout).toMatch(/^No configuration file was read/)
  })

  test('names line and key of every error, in the order of the file', async () => {
    const path = await writeConfig(
      'port = "8080"',
      'trust_proxy = true',
      'sandbox = 1',
      'lease = 0',
      'hook-allow = "10.0.0.0/8"',
      'max-webhooks =',
      'smtp-cert = "cert.pem"',
      'keywords = "help=STOP"',
      'data = "data"',
      'database = "postgres://db/relay"',
      'config = "other.toml"',
      'host = "127.0.0.1"',
    )
    const { code, stdout } = await run(ConfigCheck, ['--config', path])
    expect(code).toBe(2)
    const lines = stdout.trimEnd().split('\n')
    const keys = lines.map(line => line.slice(path.length).split(':').slice(1, 3).join(''))
    expect(keys).toEqual([
      '1 port',
      '2 trust_proxy',
      '3 sandbox',
      '4 lease',
      '5 hook-allow',
      '6 max-webhooks',
      '7 smtp-cert',
      '8 keywords',
      '10 database',
      '11 config',
    ])
    expect(stdout).toContain('There is no key trust_proxy. Did you mean trust-proxy?')
    expect(stdout).toContain('The lease 0 must be an integer from 1 to 86400.')
  })

  test.each(['halt=STOP', 'STOP', 'stop=A; stop=B'])('refuses the keywords %s', async keywords => {
    const { code, stdout } = await run(ConfigCheck, ['--keywords', keywords])
    expect(code).toBe(2)
    expect(stdout).toContain('need one of stop, start, help. Write each once')
  })

  test('names the variable of a wrong setting', async () => {
    setEnvironment({ SMSRELAY_RETAIN: 'for ever' })
    const { code, stdout } = await run(ConfigCheck, ['--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      file: null,
      valid: false,
      problems: [{ key: 'retain', variable: 'SMSRELAY_RETAIN' }],
    })
  })

  test('reads the files of certificates', async () => {
    const path = await writeConfig('tls-cert = "relay.toml"', 'tls-key = "none.pem"')
    const { code, stdout } = await run(ConfigCheck, ['--config', path])
    expect(code).toBe(2)
    expect(stdout).toContain(`${path}:1: tls-cert: Cannot read ${join(path, '..', 'none.pem')}`)
  })

  test('accepts a valid file', async () => {
    const path = await writeConfig('port = 0', 'retain = "90d"', 'hook-allow = ["10.0.0.0/8"]')
    const { code, stdout } = await run(ConfigCheck, ['--config', path])
    expect(code).toBe(0)
    expect(stdout).toBe(`The settings in ${path} are valid.\n`)
  })
})

describe('config show', () => {
  test('a flag wins over the environment, that over the file, that over the default', async () => {
    const path = await writeConfig('port = 1', 'host = "::1"', 'lease = 1', 'sandbox = true')
    const env = { SMSRELAY_PORT: '2', SMSRELAY_HOST: '::2', SMSRELAY_CONFIG: path }
    const get = await show(['--port', '3'], env)
    expect(get('port')).toEqual({ key: 'port', value: 3, origin: 'flag' })
    const host = { value: '::2', origin: 'environment', variable: 'SMSRELAY_HOST' }
    expect(get('host')).toEqual({ key: 'host', ...host })
    expect(get('lease')).toEqual({ key: 'lease', value: 1, origin: 'file', file: path, line: 3 })
    expect(get('sandbox')).toMatchObject({ value: true, origin: 'file' })
    expect(get('email')).toMatchObject({ value: 'owner@localhost', origin: 'default' })
    expect(get('trust-proxy')).toMatchObject({ value: null, origin: 'default' })
    expect(get('retain')).toMatchObject({ value: null, default: 'no limit' })
  })

  test.each([
    [['--hook-allow', '10.0.0.0/8,fd00::/8'], ''],
    [['--hook-allow', '10.0.0.0/8', '--hook-allow', 'fd00::/8'], 'hook-allow = ["::1/128"]'],
    [[], 'hook-allow = ["10.0.0.0/8", "fd00::/8"]'],
    [[], 'hook-allow = ["10.0.0.0/8, fd00::/8"]'],
  ])('reads the ranges of %j and %j', async (argv, line) => {
    const config = await writeConfig(line)
    const get = await show(['--config', config, ...argv])
    expect(get('hook-allow')).toMatchObject({ value: ['10.0.0.0/8', 'fd00::/8'] })
  })

  test.each([
    [['--trust-proxy', '--sandbox'], '', '1'],
    [['--trust-proxy'], '', '1'],
    [['--trust-proxy', '2'], '', '2'],
    [['--trust-proxy=10.0.0.0/8,loopback'], 'trust-proxy = 3', '10.0.0.0/8,loopback'],
    [[], 'trust-proxy = true', 'true'],
    [[], 'trust-proxy = 2', '2'],
    [[], 'trust-proxy = ["10.0.0.0/8", "loopback"]', '10.0.0.0/8, loopback'],
  ])('reads the trusted proxies of %j and %j', async (argv, line, value) => {
    const config = await writeConfig(line)
    const get = await show(['--config', config, ...argv])
    expect(get('trust-proxy')).toMatchObject({ value })
  })

  test('masks the passwords of URLs, also of one in a secret file', async () => {
    const secret = join(await temporaryFolder(), 'mail-relay')
    await writeFile(secret, 'smtp://ann:hidden-1@mail.example.com\n', { mode: 0o600 })
    const path = await writeConfig(
      'database = "postgres://ann:hidden-2@db/relay?password=hidden-3"',
    )
    const env = { SMSRELAY_MAIL_RELAY_FILE: secret }
    const get = await show(['--config', path], env)
    expect(get('mail-relay')).toMatchObject({
      value: 'smtp://ann:***@mail.example.com',
      variable: 'SMSRELAY_MAIL_RELAY_FILE',
    })
    expect(get('database')).toMatchObject({ value: 'postgres://ann:***@db/relay?password=***' })
    const { stdout } = await run(ConfigShow, ['--config', path], { env })
    expect(stdout).toContain('smtp://ann:***@mail.example.com')
    expect(stdout).not.toContain('hidden')
    const csv = await run(ConfigShow, ['--config', path, '-o', 'csv'], { env })
    expect(csv.stdout).toMatch(/^key,value,origin\r\n/)
    expect(csv.stdout).not.toContain('hidden')
  })

  test.each([
    ['database = "postgres://ann:hidden@db/relay"', true],
    ['metrics-token = "hidden"', true],
    ['database = "postgres://db/relay"', false],
  ])('a file with %s that others can read gets a warning: %s', async (line, isWarned) => {
    const path = await writeConfig(line)
    await chmod(path, 0o644)
    const { stderr } = await run(ConfigShow, ['--config', path])
    expect(stderr.includes(`run \`chmod 600 ${path}\``)).toBe(isWarned)
  })

  test('a location in the environment wins over both in the file', async () => {
    const path = await writeConfig('database = "postgres://db/relay"')
    const get = await show(['--config', path], { SMSRELAY_DATA_DIR: '/srv/relay' })
    expect(get('data')).toMatchObject({ value: '/srv/relay', origin: 'environment' })
    expect(get('database')).toMatchObject({ value: null })
  })
})

describe('serve --config', () => {
  test('runs with the settings of the file, whose paths are relative to it', async () => {
    const path = await writeConfig('port = 0', 'data = "records"')
    const profiles = await temporaryFolder()
    setEnvironment({ SMSRELAY_CONFIG_DIR: profiles })
    await mkdir(profiles, { recursive: true })
    const env = { SMSRELAY_CONFIG_DIR: profiles }
    const serve = start(Serve, ['--config', path], { env })
    await serve.waitForOutput('Listening on')
    serve.signals.emit('SIGTERM')
    const { code, stdout } = await serve.ended
    expect(code).toBe(0)
    expect(stdout).toContain(`Created a new relay in ${join(path, '..', 'records')}`)
    expect(stdout).not.toContain(':8080')
  })

  test('a wrong file is a usage error with all its errors, and nothing starts', async () => {
    const path = await writeConfig('data = "records"', 'prot = 1', 'port = 1', 'hosts = 2')
    const { code, stderr, stdout } = await run(Serve, ['--config', path])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(`${path} has 2 errors.`)
    expect(stderr).toContain(`${path}:4: hosts: There is no key hosts. Did you mean host?`)
  })
})

describe('SIGHUP', () => {
  async function startServe(...lines: string[]) {
    const path = await writeConfig('port = 0', 'data = "records"', ...lines)
    const profiles = await temporaryFolder()
    setEnvironment({ SMSRELAY_CONFIG_DIR: profiles })
    const serve = start(Serve, ['--config', path], { env: { SMSRELAY_CONFIG_DIR: profiles } })
    await serve.waitForOutput('Listening on')
    const reload = async (text: string, note: string): Promise<void> => {
      await writeFile(path, text)
      serve.signals.emit('SIGHUP')
      await serve.waitForNote(note)
    }
    const stop = async () => {
      serve.signals.emit('SIGTERM')
      return await serve.ended
    }
    return { path, serve, reload, stop }
  }

  test('reloads what can change, and names what needs a restart', async () => {
    const { reload, stop } = await startServe('keywords = "stop=STOP"')
    await reload(
      'port = 1\ndata = "records"\nkeywords = "stop=BASTA"\nmax-connections = 5',
      'New settings are in use: keywords, max-connections. ' +
        'Restart the relay to use the new port.',
    )
    await reload(
      'port = 0\ndata = "records"\nkeywords = "stop=BASTA"\nmax-connections = 5',
      'The settings were read again; nothing was changed.',
    )
    expect((await stop()).code).toBe(0)
  })

  test('a wrong file changes nothing, and the relay runs on', async () => {
    const { path, reload, stop } = await startServe('keywords = "stop=STOP"')
    await reload(
      'port = 0\ndata = "records"\nlease = 0\nkeywords = "stop=BASTA"',
      `The settings were not reloaded. ${path}:3: lease: The lease 0 must be`,
    )
    await reload(
      'port = 0\ndata = "records"\nkeywords = "stop=BASTA"',
      'New settings are in use: keywords.',
    )
    const { code, stderr } = await stop()
    expect(code).toBe(0)
    expect(stderr).not.toContain('internal error')
  })
})

test('a port that is no number is refused with the name of its variable', async () => {
  const wrong = 'tcp://10.0.0.1:80'
  setEnvironment({ SMSRELAY_PORT: wrong })
  const shown = await run(ConfigShow, [], { env: { SMSRELAY_PORT: wrong } })
  const reason = `--port "${wrong}" is not a whole number.`
  const stderr = `smsrelay: ${reason} The value is from SMSRELAY_PORT. Write digits only.\n`
  expect(shown).toEqual({ code: 2, stdout: '', stderr })
})
