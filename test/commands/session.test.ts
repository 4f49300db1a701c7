import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import Login from '../../commands/login.js'
import Logout from '../../commands/logout.js'
import MessageList from '../../commands/message/list.js'
import TokenIssue from '../../commands/token/issue.js'
import TokenRevoke from '../../commands/token/revoke.js'
import Whoami from '../../commands/whoami.js'
import { RelayClient } from '../../src/client/relay-client.js'
import { run, startRelay, startSharedRelay } from './harness.js'

const email = 'ann@example.com'

describe('login, whoami and logout', () => {
  it('save, use and remove a profile that only this user can read', async () => {
    const fixture = await startRelay()
    const { url } = fixture.relay
    const login = await run(Login, [...fixture.flags, '--json'], fixture)
    expect(login).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(login.stdout)).toEqual({ profile: 'default', url, email })
    const file = join(fixture.env.SMSRELAY_CONFIG_DIR ?? '', 'config.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const who = await run(Whoami, ['--json'], fixture)
    expect(JSON.parse(who.stdout)).toEqual({ email, url, scope: '/api/1/*', profile: 'default' })
    const logout = await run(Logout, ['--json'], fixture)
    expect(JSON.parse(logout.stdout)).toEqual({ profile: 'default', removed: true })
    const after = await run(Whoami, ['--json'], fixture)
    expect(after.code).toBe(2)
    expect(JSON.parse(after.stdout).error.message).toContain('smsrelay login')
  })

  it('keep profiles apart by name', async () => {
    const fixture = await startRelay()
    await run(Login, [...fixture.flags, '--profile', 'work'], fixture)
    expect((await run(Whoami, [], fixture)).code).toBe(2)
    expect((await run(Whoami, ['--profile', 'work'], fixture)).code).toBe(0)
  })

  it('save nothing if the keys are wrong', async () => {
    const fixture = await startRelay()
    const argv = ['--url', fixture.relay.url, '--secret-key', 'a', '--api-key', 'b', '--json']
    const result = await run(Login, argv, fixture)
    expect(result.code).toBe(4)
    expect(JSON.parse(result.stdout).error.code).toBe('invalid_client')
    expect(JSON.parse((await run(Logout, ['--json'], fixture)).stdout).removed).toBe(false)
  })

  it('show no e-mail address for the keys of a phone', async () => {
    const fixture = await startRelay()
    const { secret_key: secret, app_key: app } = fixture.account
    const argv = ['--url', fixture.relay.url, '--secret-key', secret, '--app-key', app, '--json']
    const result = await run(Login, argv, fixture)
    expect(JSON.parse(result.stdout)).toMatchObject({ email: null })
    const list = await run(MessageList, ['--json'], fixture)
    expect(list.code).toBe(4)
    expect(JSON.parse(list.stdout).error.code).toBe('insufficient_scope')
  })
})

describe('tokens', () => {
  const shared = startSharedRelay()

  it('are the only output on stdout, so that a shell can use them', async () => {
    const result = await run(TokenIssue, shared().flags, shared())
    expect(result.stdout).toMatch(/^\S+\n$/)
    expect(result.stderr).toMatch(/Scope: \S+\n$/)
  })

  it('come from the application key with --app', async () => {
    const result = await run(TokenIssue, ['--app', ...shared().flags, '--json'], shared())
    expect(JSON.parse(result.stdout)).toMatchObject({
      token_type: 'Bearer',
      scope: '/api/1/message /api/1/message/*',
    })
  })

  it('are invalid after they are revoked', async () => {
    const { flags, relay } = shared()
    const token = (await run(TokenIssue, flags, shared())).stdout.trim()
    const argv = ['--url', relay.url, '--json']
    const result = await run(TokenRevoke, argv, { ...shared(), stdin: `${token}\n` })
    expect(result).toEqual({ code: 0, stdout: '{"revoked":true}\n', stderr: '' })
    const client = new RelayClient({ url: relay.url, credentials: { token } })
    await expect(client.getUser()).rejects.toMatchObject({ code: 'invalid_token' })
  })
})

describe('a relay that does not answer', () => {
  const argv = ['--url', 'http://127.0.0.1:9', '--secret-key', 's3cret', '--api-key', 'k3y']

  it('is reported in one line without keys', async () => {
    const result = await run(Whoami, argv)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/^smsrelay: The relay at http:\/\/127\.0\.0\.1:9 .+\n$/)
    expect(result.stderr).not.toMatch(/s3cret|k3y/)
  })

  it('is reported as one JSON value with --json', async () => {
    const result = await run(Whoami, [...argv, '--json'])
    expect(result).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(result.stdout)).toEqual({
      error: { code: 'unreachable', message: expect.any(String) },
    })
  })
})
