import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import Login from '../../commands/login.js'
import Logout from '../../commands/logout.js'
import MessageList from '../../commands/message/list.js'
import ProfileList from '../../commands/profile/list.js'
import ProfileRemove from '../../commands/profile/remove.js'
import ProfileRename from '../../commands/profile/rename.js'
import ProfileShow from '../../commands/profile/show.js'
import ProfileUse from '../../commands/profile/use.js'
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

  it('save nothing if a key is given as one of another kind', async () => {
    const fixture = await startRelay()
    const { secret_key: secret, api_key: api, app_key: app } = fixture.account
    const url = ['--url', fixture.relay.url]
    for (const [keys, flag, kind] of [
      [['--secret-key', secret, '--api-key', app], '--api-key', '--app-key'],
      [['--secret-key', secret, '--app-key', api], '--app-key', '--api-key'],
      [['--secret-key', api, '--api-key', secret], '--secret-key', '--api-key'],
    ] as const) {
      const { code, stderr } = await run(Login, [...url, ...keys], fixture)
      expect(code).toBe(2)
      expect(stderr).toMatch(new RegExp(`${flag} has a key .*is a key for ${kind};`))
      expect((await run(Whoami, [], fixture)).code).toBe(2)
    }
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

describe('login', () => {
  it('replaces a profile of another account only with --replace', async () => {
    const fixture = await startRelay()
    await run(Login, fixture.flags, fixture)
    const bob = await fixture.relay.administration.createAccount({ email: 'bob@example.com' })
    const keys = ['--secret-key', bob.secret_key, '--api-key', bob.api_key]
    const argv = ['--url', fixture.relay.url, ...keys]
    const refused = await run(Login, argv, fixture)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--replace') })
    expect((await run(Whoami, [], fixture)).stdout).toContain(email)
    expect(await run(Login, [...argv, '--replace'], fixture)).toMatchObject({ code: 0 })
    expect((await run(Whoami, [], fixture)).stdout).toContain('bob@example.com')
  })

  it('keeps the saved keys of the account that are not given', async () => {
    const fixture = await startRelay()
    await run(Login, fixture.flags, fixture)
    const { secret_key: secret, app_key: app } = fixture.account
    const argv = ['--url', fixture.relay.url, '--secret-key', secret, '--app-key', app]
    expect(await run(Login, argv, fixture)).toMatchObject({ code: 0 })
    expect(await run(MessageList, [], fixture)).toMatchObject({ code: 0 })
  })
})

describe('profile', () => {
  it('lists and shows profiles without keys, chooses, renames and removes them', async () => {
    const fixture = await startRelay()
    await run(Login, fixture.flags, fixture)
    await run(Login, [...fixture.flags, '--profile', 'work'], fixture)
    const list = await run(ProfileList, ['--json'], fixture)
    const summary = { url: fixture.relay.url, email, keys: ['api', 'app'] }
    expect(JSON.parse(list.stdout)).toEqual([
      { name: 'default', current: true, ...summary },
      { name: 'work', current: false, ...summary },
    ])
    await run(ProfileUse, ['work'], fixture)
    await run(ProfileRename, ['work', 'home'], fixture)
    const shown = await run(ProfileShow, ['--json'], fixture)
    expect(JSON.parse(shown.stdout)).toEqual({ name: 'home', current: true, ...summary })
    const withKeys = await run(ProfileShow, ['--show-keys'], fixture)
    expect(withKeys.stdout).toContain(fixture.account.api_key)
    expect(await run(ProfileRemove, ['home'], fixture)).toMatchObject({ code: 0 })
    expect(await run(ProfileRemove, ['home'], fixture)).toMatchObject({ code: 5 })
    expect((await run(ProfileList, [], fixture)).stdout).toMatch(/^yes +default /m)
  })
})

describe('tokens of commands', () => {
  it('of a profile are shared, and revoked by logout', async () => {
    const fixture = await startRelay()
    await run(Login, fixture.flags, fixture)
    const path = join(fixture.env.SMSRELAY_CONFIG_DIR ?? '', 'tokens', 'default.api.json')
    await run(MessageList, [], fixture)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const first = await readFile(path, 'utf8')
    await Promise.all(Array.from({ length: 8 }, () => run(MessageList, [], fixture)))
    expect(await readFile(path, 'utf8')).toBe(first)
    const { token } = JSON.parse(first)
    expect(await run(MessageList, ['--token', token], fixture)).toMatchObject({ code: 0 })
    await run(Logout, [], fixture)
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
    const after = await run(MessageList, ['--url', fixture.relay.url, '--token', token], fixture)
    expect(after).toMatchObject({ code: 4, stderr: expect.stringContaining('from --token') })
  })

  it('of a profile are renewed when the relay rejects them', async () => {
    const fixture = await startRelay()
    await run(Login, fixture.flags, fixture)
    await run(MessageList, [], fixture)
    const path = join(fixture.env.SMSRELAY_CONFIG_DIR ?? '', 'tokens', 'default.api.json')
    const first = await readFile(path, 'utf8')
    await run(TokenRevoke, [JSON.parse(first).token], fixture)
    const both = await Promise.all([run(MessageList, [], fixture), run(MessageList, [], fixture)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(await readFile(path, 'utf8')).not.toBe(first)
  })

  it('for keys of flags are revoked at the end of the command', async () => {
    const fixture = await startRelay()
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization ?? '')
      response.setHeader('content-type', 'application/json')
      const token = { access_token: 't1', token_type: 'Bearer', expires_in: 60, scope: '/api/1/*' }
      const reply = request.url === '/oauth' ? token : { messages: [] }
      if (request.url?.startsWith('/oauth/revoke') === true) seen.push(request.url)
      response.end(JSON.stringify(reply))
    })
    const seen: string[] = []
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const argv = ['--url', url, '--secret-key', 's', '--api-key', 'a']
    expect(await run(MessageList, argv, fixture)).toMatchObject({ code: 0 })
    expect(seen.at(-1)).toBe('/oauth/revoke?token=t1')
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
