import { beforeEach, expect, test, vi } from 'vitest'
import Login from '../../commands/login.js'
import MessageSend from '../../commands/message/send.js'
import Phone from '../../commands/phone.js'
import TokenIssue from '../../commands/token/issue.js'
import TokenRevoke from '../../commands/token/revoke.js'
import Whoami from '../../commands/whoami.js'
import { describePlainHttp } from '../../src/cli/profile/connection.js'
import { runRelay } from '../server/running-relay.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run } from './harness.js'

const url = 'http://sms.example.com'
const warning = `Keys and texts go to ${url} without encryption, and others can read them;`

/** A relay that answers to a name of another machine, as a proxy, and as this machine. */
async function start() {
  const { relay, account } = await runRelay({ baseUrl: url })
  vi.stubEnv('HTTP_PROXY', relay.url)
  vi.stubEnv('NO_PROXY', '127.0.0.1')
  const { secret_key: secret, api_key: api, app_key: app } = account
  const keys = ['--secret-key', secret, '--api-key', api, '--app-key', app]
  const folder = await temporaryFolder()
  const env = { SMSRELAY_CONFIG_DIR: `${folder}/config`, SMSRELAY_STATE_DIR: `${folder}/state` }
  return { relay, keys, env, journal: ['--journal', `${folder}/journal`] }
}

beforeEach(() => () => void vi.unstubAllEnvs())

test('commands that send keys or texts to another machine over http:// say so', async () => {
  const { relay, keys, env, journal } = await start()
  const token = (await run(TokenIssue, ['--url', relay.url, ...keys], { env })).stdout.trim()
  const simulate = ['--driver', 'simulate', ...journal]
  const commands = [
    ['login', Login, keys, 0],
    ['whoami', Whoami, keys, 0],
    ['whoami with a token', Whoami, ['--token', token], 0],
    ['message send', MessageSend, ['+12025550123', 'Hello', ...keys], 0],
    ['phone', Phone, [...simulate, '--once', ...keys], 0],
    ['token issue', TokenIssue, keys, 0],
    ['token issue --login', TokenIssue, ['--login', 'ann@example.com'], 4],
    ['token revoke', TokenRevoke, [token], 0],
  ] as const
  for (const [name, command, argv, code] of commands) {
    const input = { env, stdin: 'a wrong password\n' }
    const far = await run(command, [...argv, '--url', url], input)
    expect({ name, code: far.code, stderr: far.stderr }).toMatchObject({
      ...{ name, code },
      stderr: expect.stringContaining(warning),
    })
    const near = await run(command, [...argv, '--url', relay.url], input)
    expect({ name, stderr: near.stderr }).not.toMatchObject({
      stderr: expect.stringContaining('without encryption'),
    })
  }
})

const near = ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]', 'http://a.localhost']
const far = [
  'http://192.168.1.2',
  'http://[fd00::1]',
  'http://relay:8080',
  'http://127.0.0.1.nip.io',
]

test('addresses of this machine and https:// need no warning', () => {
  const secure = [...near, ...far].map(each => each.replace('http', 'https'))
  expect([...near, ...secure].filter(describePlainHttp)).toEqual([])
  for (const each of far) expect(describePlainHttp(each)).toContain(each)
})
