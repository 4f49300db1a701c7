import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../tools/ports/free-ports.js'
import { writeCertificate } from '../certificate-files.js'
import { startFaultyRelay } from '../cli/verify/faulty-relay.js'
import { type Home, makeHome, serve } from './program.js'

interface VerifyReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly left: readonly string[]
  readonly rules: readonly { rule: string; result: string; reason?: string }[]
}

/** Starts a relay, and sets the keys of two accounts in the environment of the home. */
async function serveForVerify(home: Home, ...flags: string[]): Promise<string> {
  const { url } = await serve(home, ...flags)
  const create = async (email: string) => {
    const data = join(home.dir, 'data')
    const { stdout } = await home.run(['account', 'create', email, '--data', data, '--json'])
    return JSON.parse(stdout) as Record<string, string>
  }
  const mine = await create('verify@example.com')
  const other = await create('other@example.com')
  Object.assign(home.env, {
    SMSRELAY_SECRET_KEY: mine.secret_key,
    SMSRELAY_API_KEY: mine.api_key,
    SMSRELAY_APP_KEY: mine.app_key,
    SMSRELAY_EMAIL: mine.email,
    SMSRELAY_PASSWORD: mine.password,
    SMSRELAY_OTHER_SECRET_KEY: other.secret_key,
    SMSRELAY_OTHER_API_KEY: other.api_key,
    SMSRELAY_OTHER_APP_KEY: other.app_key,
  })
  return url
}

/** A proxy that notes what was created and not removed, and to which numbers messages went. */
async function startObserver(url: string) {
  const created = new Map<string, string>()
  const destinations = new Set<string>()
  const proxy = await startFaultyRelay(url, {
    onReply: ({ status, body }, { method, target }) => {
      if (status >= 300) return
      const { access_token: token, message, subscription } = JSON.parse(body)
      if (target === '/oauth') created.set(token, 'token')
      if (method === 'POST' && message !== undefined) {
        created.set(message.id, 'message')
        destinations.add(message.destination)
      }
      if (method === 'POST' && subscription !== undefined) {
        created.set(subscription.id, 'subscription')
      }
      const revoked = /^\/oauth\/revoke\?token=(.*)$/.exec(target)?.[1]
      if (revoked !== undefined) created.delete(decodeURIComponent(revoked))
      if (method === 'DELETE') created.delete(target.split('/').at(-1) ?? '')
    },
  })
  return { proxy, created, destinations }
}

/** A proxy that passes everything below `/hooks` on, without that. */
async function startPathProxy(target: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const path = url.replace(/^\/hooks/, '')
    const passed = request(`${target}${path}`, { method, headers }, reply => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listAll(home: Home): Promise<unknown[]> {
  const filter = ['message', 'list', '--filter', 'all', '--json']
  const { stdout } = await home.run(filter)
  return JSON.parse(stdout)
}

test('verify passes against this relay, and nothing is left', async () => {
  const home = await makeHome()
  const url = await serveForVerify(home)
  home.env.SMSRELAY_URL = url
  const { proxy, created, destinations } = await startObserver(url)
  const file = join(home.dir, 'report.xml')
  const ended = await home.run(['verify', proxy, '--json', '--junit', file])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const report: VerifyReport = JSON.parse(ended.stdout)
  expect(report).toMatchObject({ failed: 0, skipped: 2, left: [] })
  const skipped = report.rules.filter(({ result }) => result === 'skipped')
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['hours must pass; the tests of smsrelay move the clock']),
  )
  expect([...destinations].filter(number => !/555121[23]$/.test(number))).toEqual([])
  expect([...created.values()].filter(kind => kind !== 'message')).toEqual([])
  expect(await listAll(home)).toEqual([])
  const xml = await readFile(file, 'utf8')
  expect(xml.match(/<testcase /g)).toHaveLength(report.passed + report.skipped)
}, 360_000)

test('verify passes against a sandbox, where it skips the rules of NEXT', async () => {
  const home = await makeHome()
  const url = await serveForVerify(home, '--sandbox')
  const ended = await home.run(['verify', url, '--only', '1', '--only', '4.2'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^skipped +4\.2 .*\(something else reports on messages/m)
  expect(ended.stdout).toMatch(/^\d+ rules: \d+ passed, 0 failed, \d+ skipped\.$/m)
})

test('verify checks a relay over HTTPS if its certificate is trusted', async () => {
  const home = await makeHome()
  const { cert, key } = (await writeCertificate()).files
  const url = await serveForVerify(home, '--tls-cert', cert, '--tls-key', key)
  const sections = ['--only', '2.1', '--only', '4.1', '--only', '6']
  const refused = await home.run(['verify', url, ...sections])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('set NODE_EXTRA_CA_CERTS')
  home.env.NODE_EXTRA_CA_CERTS = cert
  const ended = await home.run(['verify', url, ...sections])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^\d+ rules: \d+ passed, 0 failed, 0 skipped\.$/m)
})

test('verify receives webhooks behind a proxy with a path', async () => {
  const home = await makeHome()
  const url = await serveForVerify(home)
  const port = await findFreePort()
  const proxy = await startPathProxy(`http://127.0.0.1:${port}`)
  const flags = ['--port', `${port}`, '--public-url', `${proxy}/hooks`]
  const ended = await home.run(['verify', url, '--only', '1', ...flags])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^\d+ rules: \d+ passed, 0 failed, 0 skipped\.$/m)
})

test('verify passes against a relay that allows only public addresses of webhooks', async () => {
  const home = await makeHome()
  const url = await serveForVerify(home, '--base-url', 'https://sms.example.com')
  const ended = await home.run(['verify', url, '--only', '2.3', '--only', '4.3', '--only', '8'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toContain('skipped  4.3  Webhooks go to the edited url. (the relay rejects')
})

test('Ctrl-C ends verify, which removes what it created and revokes its tokens', async () => {
  const home = await makeHome()
  const url = await serveForVerify(home)
  home.env.SMSRELAY_URL = url
  const { proxy, created } = await startObserver(url)
  const running = home.start(['verify', proxy])
  let passed = 0
  await new Promise<unknown>(resolve => {
    running.ended.then(resolve)
    running.child.stdout.on('data', (chunk: Buffer) => {
      passed += chunk.toString().split('\npass').length
      if (passed > 10) resolve(passed)
    })
  })
  expect(await running.end('SIGINT')).toBe(130)
  expect([...created.values()].filter(kind => kind !== 'message')).toEqual([])
  expect(await listAll(home)).toEqual([])
})

test('verify says which key is missing, and where no relay is', async () => {
  const home = await makeHome()
  const missing = await home.run(['verify', 'http://127.0.0.1:9'])
  expect(missing).toMatchObject({
    code: 2,
    stderr: 'smsrelay: The secret key is missing. Set SMSRELAY_SECRET_KEY.\n',
  })
  Object.assign(home.env, { SMSRELAY_SECRET_KEY: 'srs_x', SMSRELAY_API_KEY: 'sra_x' })
  const nowhere = await home.run(['verify', 'http://127.0.0.1:9'])
  expect(nowhere.code).toBe(1)
  expect(nowhere.stderr).toMatch(/^smsrelay: The relay at http:\/\/127\.0\.0\.1:9 does not answer/)
  const section = await home.run(['verify', 'http://127.0.0.1:9', '--only', '12'])
  expect(section.code).toBe(2)
  expect(section.stderr).toMatch(
    /^smsrelay: --only 12: there is no such section\. The sections are/,
  )
})
