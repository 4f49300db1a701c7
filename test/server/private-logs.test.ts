import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import Serve from '../../commands/serve.js'
import { operations, publicOperations } from '../../src/contract/api/operations.js'
import type { NewAccount } from '../../src/index.js'
import { openLowdbStore } from '../../src/server/store/lowdb/lowdb-store.js'
import { start } from '../commands/harness.js'
import { basic, createCaller, form, json, request, signIn } from '../conformance/calls.js'
import { createRelay } from '../quick-relay.js'
import { temporaryFolder } from '../temporary-folder.js'
import { findPlanted } from './log/planted-values.js'

const destination = '+12025550187'
const text = 'the-text-of-a-message'
const hook = 'http://hook-user:hook-password@127.0.0.1:1/hook-secret-path'

/** Makes valid and invalid requests; resolves to the secrets that no log may have. */
async function useAndAbuse(url: string, account: NewAccount): Promise<string[]> {
  const { email, password, secret_key, api_key, app_key } = account
  const tokens = await Promise.all(
    [
      [secret_key, api_key],
      [secret_key, app_key],
      [email, password],
    ].map(async ([name = '', key = '']) => (await signIn(url, name, key)).body.access_token),
  )
  const [api, phone, person] = tokens.map(token => createCaller(url, token))
  if (api === undefined || phone === undefined || person === undefined) throw new Error('no token')
  await api.post('/subscription', {
    event: 'message.create',
    url: hook,
    method: 'POST',
    post: true,
  })
  const draft = { message: { destination, message: text } }
  const { id } = (await api.post('/message', draft)).body.message
  await phone.next()
  const failure = { error_message: 'wrong-number-reason', outcome: 'failed' }
  await phone.put(`/message/${id}/failure`, failure)
  await person.get('/user/app')
  const signing = [
    await api.get('/subscription/secret'),
    await api.post('/subscription/secret', {}),
  ]
  await api.get(`/message?filter=${encodeURIComponent('{"filter":"all"}')}`)
  const fuzz: [string, string, object][] = [
    ['POST', '/message', { body: form({ message: { destination: text, message: text } }) }],
    ['POST', '/message', { body: `{"message": "${text}`, headers: json({}).headers }],
    ['POST', '/message', { body: `message=%ZZ${text}`, headers: { 'content-type': 'x/y' } }],
    ['POST', '/message', { body: form({ message: text }) }],
    ['POST', '/do-not-text', { body: form({ number: text }) }],
    ['POST', '/contact', json({ number: destination, name: text, fields: { a: text } })],
    ['POST', '/contact', json({ number: text, name: text })],
    ['GET', `/contact?search=${text}`, {}],
    ['POST', '/template', json({ name: 'a', text: `${text} {` })],
    ['GET', `/message/%E0%A4%A${text}`, {}],
    ['GET', `/message?filter={"${text}`, {}],
    ['GET', `/${text}`, {}],
    ['TEXT', `/message/${id}`, {}],
    ['PATCH', `/message/${id}`, { body: new Uint8Array([255, 254, 0]) }],
  ]
  for (const [method, path, extras] of fuzz) await api.call(method, path, extras)
  for (const { method, path } of Object.values({ ...operations, ...publicOperations })) {
    const planted = path.replace(/:\w+/g, encodeURIComponent(destination))
    const body = method === 'GET' ? {} : { body: form({ message: text, token: text, url: hook }) }
    const headers = { authorization: `Bearer ${tokens[0]}`, cookie: `smsrelay_session=${text}` }
    await request(
      `${url}${planted}?token=${text}&number=${encodeURIComponent(destination)}`,
      method,
      {
        ...body,
        headers: { ...headers, traceparent: text, 'x-request-id': `${text} ${destination}` },
      },
    )
  }
  for (const path of [`/u/${text}`, `/login?next=/${text}`, `/messages/${text}`, `/${text}`]) {
    await request(`${url}${path}`, 'GET', { headers: { accept: 'text/html' } })
    await request(`${url}${path}`, 'POST', { body: form({ email: text, password: text }) })
  }
  for (const key of [`${api_key}x`, text]) await signIn(url, secret_key, key)
  await request(`${url}/oauth`, 'GET', { headers: { authorization: `Basic ${text}` } })
  await request(`${url}/oauth/revoke?token=${tokens[2]}`, 'GET')
  await request(`${url}/api/1/user`, 'GET', { headers: { authorization: `Bearer ${text}` } })
  const pairs = [basic(secret_key, api_key), basic(secret_key, app_key), basic(email, password)]
  const names = ['hook-user', 'hook-password', 'hook-secret-path', 'wrong-number-reason']
  const secrets = [password, secret_key, api_key, app_key, ...tokens, ...pairs.map(afterBasic)]
  const signers = signing.map(reply => JSON.parse(reply.text).secret)
  return [...secrets, ...signers, ...names, destination, destination.slice(1), text]
}

function afterBasic(header: string): string {
  return header.slice('Basic '.length)
}

/** Records all output to the console outside of the streams of a command. */
function recordConsole(): () => string {
  const calls: unknown[][] = []
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => void calls.push(args))
  }
  const streams = [vi.spyOn(process.stderr, 'write'), vi.spyOn(process.stdout, 'write')]
  onTestFinished(() => void vi.restoreAllMocks())
  return () => inspect([calls, streams.map(stream => stream.mock.calls)], { depth: 9 })
}

describe('no key, token, password, destination or text is in', () => {
  test('the warnings and defects of a relay whose store fails now and then', async () => {
    const printed = recordConsole()
    const reported: string[] = []
    const dataDir = await temporaryFolder()
    let broken = false
    const relay = await createRelay(
      { dataDir, port: 0, sandbox: true },
      {
        warn: sentence => reported.push(sentence),
        reportDefect: error => reported.push(inspect(error, { depth: 9, showHidden: true })),
        openStore: async directory => {
          const store = await openLowdbStore(directory)
          const list = store.messages.list.bind(store.messages)
          store.messages.list = async query => {
            if (broken) throw new Error('The store has a defect.')
            return await list(query)
          }
          return store
        },
      },
    )
    onTestFinished(async () => await relay.stop())
    await relay.start()
    const account = await relay.administration.createAccount({ email: 'ann@example.com' })
    broken = true
    const secrets = await useAndAbuse(relay.url, account)
    await relay.stop()
    expect(reported.join('\n')).toContain('The store has a defect.')
    expect(findPlanted(reported.join('\n'), secrets)).toEqual([])
    expect(findPlanted(printed(), secrets)).toEqual([])
  })

  test('the stderr of serve, or in its stdout after the first keys', async () => {
    const dataDir = join(await temporaryFolder(), 'data')
    const config = await temporaryFolder()
    vi.stubEnv('SMSRELAY_CONFIG_DIR', config)
    onTestFinished(() => void vi.unstubAllEnvs())
    const argv = ['--port', '0', '--data', dataDir]
    const env = { SMSRELAY_DEBUG: '1', SMSRELAY_CONFIG_DIR: config }
    const first = start(Serve, [...argv, '--json'], { env })
    await first.waitForOutput('"listening"')
    first.signals.emit('SIGTERM')
    const { stdout } = await first.ended
    const account = JSON.parse(stdout.split('\n')[0] ?? '') as NewAccount

    const printed = recordConsole()
    const second = start(Serve, [...argv, '--log-level', 'debug'], { env })
    await second.waitForOutput('Listening on')
    const saved = JSON.parse(await readFile(join(config, 'config.json'), 'utf8'))
    const secrets = await useAndAbuse(saved.profiles.default.url, account)
    second.signals.emit('SIGTERM')
    const ran = await second.ended
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('Stopping')
    for (const { path } of Object.values(operations)) expect(ran.stderr).toContain(`"${path}"`)
    expect(findPlanted(ran.stderr + ran.stdout, secrets)).toEqual([])
    expect(findPlanted(printed(), secrets)).toEqual([])
  })
})
