// Runs the proxies of docs/operate/proxies, if they are installed, in front of a relay.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secretPaths } from '../../../src/domain/redact-text.js'
import { findPorts } from '../../../tools/ports/free-ports.js'
import { selfSigned } from '../../certificate.js'
import { isInstalled } from '../../installed.js'
import { createRelay } from '../../quick-relay.js'
import { projectRoot } from '../../source-tree.js'
import { temporaryFolder } from '../../temporary-folder.js'

interface Place {
  readonly folder: string
  readonly port: number
  /** Address and port of the relay, or its Unix socket as the proxy writes it. */
  readonly relay: string
}

interface Proxy {
  readonly file: string
  readonly scheme: 'http' | 'https'
  /** What the proxy writes before the path of a Unix socket. */
  readonly socketPrefix: string
  /** What docs/operate/proxies.md changes in the file for a relay below `/sms`. */
  readonly belowPath?: Readonly<Record<'passes the path on' | 'removes the path', Change>>
  /** The file of docs/operate/proxies for a proxy on this machine. */
  adapt(text: string, place: Place): string
  /** Arguments of the program. */
  args(config: string, place: Place): string[]
}

type Change = (text: string) => string

const toSubpath = (text: string): string => text.replace('location / {', 'location /sms/ {')

const proxies: Record<string, Proxy> = {
  caddy: {
    file: 'Caddyfile',
    socketPrefix: 'unix/',
    scheme: 'https',
    belowPath: {
      'passes the path on': text => wrapHandler(text, 'handle /sms/*'),
      'removes the path': text => wrapHandler(text, 'handle_path /sms/*'),
    },
    adapt: (text, { folder, port, relay }) =>
      text
        .replace(/^\{$/m, '{\n admin off\n auto_https disable_redirects')
        .replace(
          'sms.example.com {',
          `https://localhost:${port} {\n tls ${folder}/cert ${folder}/key`,
        )
        .replace('127.0.0.1:8080', relay),
    args: config => ['run', '--config', config, '--adapter', 'caddyfile'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    socketPrefix: 'unix@',
    scheme: 'http',
    adapt: (text, { port, relay }) =>
      text
        .replace('maxconn 10000', 'maxconn 100')
        .replace('bind :8080', `bind 127.0.0.1:${port}`)
        .replace('node1:8080', relay)
        .replace(/.*node2:8080\n/, ''),
    args: config => ['-db', '-f', config],
  },
  nginx: {
    file: 'nginx.conf',
    socketPrefix: 'unix:',
    scheme: 'https',
    belowPath: {
      'passes the path on': toSubpath,
      'removes the path': text =>
        toSubpath(text).replace('proxy_pass http://smsrelay;', 'proxy_pass http://smsrelay/;'),
    },
    adapt: (text, { folder, port, relay }) => {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map(name => `${name}_temp_path ${folder}/${name};`)
        .join('\n')
      const server = text
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('server 127.0.0.1:8080', `server ${relay}`)
        .replaceAll('sms.example.com', 'localhost')
        .replaceAll('/var/log/nginx', folder)
        .replace(/ssl_certificate .*/, `ssl_certificate ${folder}/cert;`)
        .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${folder}/key;`)
      const user = process.getuid?.() === 0 ? 'user root; ' : ''
      return `${user}daemon off; pid ${folder}/pid; events {}\nhttp {\n${paths}\n${server}}`
    },
    args: config => ['-c', config, '-e', 'stderr'],
  },
}

function wrapHandler(text: string, handle: string): string {
  return text.replace(
    /\treverse_proxy[\s\S]*?\n\t}\n/,
    block => `redir /sms /sms/\n${handle} {\n${block}}\n`,
  )
}

test.each(Object.entries(proxies))('%s keeps out of its log what ours hides', async (_, each) => {
  const text = await readFile(join(projectRoot, 'docs/operate/proxies', each.file), 'utf8')
  const rules = text.slice(text.indexOf('These paths and queries are secret'))
  const named = rules.match(/\/(?:u|invitation)\/|\/oauth\/revoke/g)
  expect(new Set(named)).toEqual(new Set(secretPaths))
})

const cases = Object.entries(proxies).flatMap(([program, proxy]) =>
  [false, true].map(hasSocket => ({ program, proxy, hasSocket })),
)
for (const { program, proxy, hasSocket } of cases) {
  const runs = isInstalled(program, `the relay behind ${program}`)
  const over = hasSocket ? 'over a Unix socket' : 'over a port'
  test.runIf(runs)(`a relay works behind ${program} as in ${proxy.file} ${over}`, async () => {
    const folder = await temporaryFolder()
    const [port = 0, relayPort = 0] = await findPorts(2)
    const socket = join(folder, 'relay.sock')
    const baseUrl = `${proxy.scheme}://localhost:${port}`
    const settings = { dataDir: folder, baseUrl, trustProxy: true }
    const listen = hasSocket ? { socket } : { port: relayPort }
    const relay = await createRelay({ ...settings, ...listen })
    await relay.start()
    onTestFinished(async () => await relay.stop())
    const address = hasSocket ? `${proxy.socketPrefix}${socket}` : `127.0.0.1:${relayPort}`
    const { send, readLog } = await startProxy(program, proxy, { folder, port, relay: address })
    const keys = await relay.administration.createAccount({ email: 'a@example.com' })
    const issue = async (key: string): Promise<Record<string, string>> => {
      const login = Buffer.from(`${keys.secret_key}:${key}`).toString('base64')
      const reply = await send('GET', '/oauth', { authorization: `Basic ${login}` })
      return { authorization: `Bearer ${reply.json.access_token}` }
    }
    const token = { ...(await issue(keys.api_key)), 'content-type': 'application/json' }
    const phone = await issue(keys.app_key)

    // A NEXT that waits, and the event of what it waits for.
    const events = await send(
      'GET',
      '/api/1/event',
      { ...token, accept: 'text/event-stream' },
      null,
    )
    const next = send('NEXT', '/api/1/message', { ...phone, prefer: 'wait=60' })
    const message = { destination: '+12025550123', message: 'ä'.repeat(1600) }
    const created = await send('POST', '/api/1/message', token, JSON.stringify({ message }))
    expect(created.status).toBe(200)
    expect(created.json.links.list.url).toBe(`${baseUrl}/api/1/message`)
    expect((await next).json.message.id).toBe(created.json.message.id)
    for await (const chunk of events.response) if (String(chunk).includes('message.create')) break

    const batch = JSON.stringify(Array.from({ length: 1000 }, () => message))
    expect((await send('POST', '/api/1/message/batch', token, batch)).json.results).toHaveLength(
      1000,
    )

    // Every guess has another forged address; the proxy tells the relay the real one.
    const guesses: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      const forged = { 'x-forwarded-for': `198.51.100.${guess}` }
      guesses.push((await send('GET', `/u/sru_guess${guess}`, forged)).status)
    }
    expect(guesses.at(-1)).toBe(429)
    for (const path of ['/U/sec%72et', '/invitation/secret', '/oauth/revoke?token=secret']) {
      await send('GET', path, {})
    }
    await relay.stop()
    await send('GET', '/u/secret', {})
    await send('GET', '/logged', {})
    expect(await readLog()).not.toMatch(/sru_guess|sec(?:%72|r)et/)
  })
}

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: Replies have many shapes.
  readonly json: any
  readonly text: string
  readonly response: IncomingMessage
}

/** Starts a proxy with the adapted file of docs/operate/proxies in front of a relay. */
async function startProxy(program: string, proxy: Proxy, place: Place) {
  const { folder } = place
  await writeFile(join(folder, 'cert'), selfSigned.cert)
  await writeFile(join(folder, 'key'), selfSigned.key)
  await mkdir(join(folder, 'home'))
  const text = await readFile(join(projectRoot, 'docs/operate/proxies', proxy.file), 'utf8')
  const config = join(folder, proxy.file)
  await writeFile(config, proxy.adapt(text, place))
  const env = { ...process.env, HOME: join(folder, 'home') }
  const child = spawn(program, proxy.args(config, place), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  onTestFinished(async () => await end(program, child))
  await Promise.race([waitForPort(place.port), failIfEnded(child, () => output)])
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | null,
  ): Promise<Reply> => {
    const request = proxy.scheme === 'https' ? requestHttps : requestHttp
    const options = { method, headers, ca: selfSigned.cert, agent: false as const }
    const sent = request(`${proxy.scheme}://localhost:${place.port}${path}`, options)
    sent.end(body ?? undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const status = response.statusCode ?? 0
    if (body === null) return { status, json: undefined, text: '', response }
    const text = Buffer.concat(await response.toArray()).toString()
    return { status, json: text.startsWith('{') ? JSON.parse(text) : undefined, text, response }
  }
  const readLog = async (): Promise<string> =>
    output + (await readFile(join(folder, 'access.log'), 'utf8').catch(() => ''))
  return { send, readLog }
}

async function end(program: string, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // nginx ends its workers at once at SIGTERM; Caddy would wait for the event stream.
  child.kill(program === 'nginx' ? 'SIGTERM' : 'SIGKILL')
  await ended
}

async function failIfEnded(child: ChildProcess, read: () => string): Promise<never> {
  await once(child, 'exit')
  throw new Error(read())
}

/** Resolves when somebody listens on the port. */
async function waitForPort(port: number): Promise<void> {
  await expect
    .poll(async () => {
      const socket = connect(port, '127.0.0.1')
      const connected = once(socket, 'connect').then(
        () => true,
        () => false,
      )
      const result = await connected
      socket.destroy()
      return result
    })
    .toBe(true)
}

const pathCases = Object.entries(proxies).flatMap(([program, proxy]) =>
  Object.entries(proxy.belowPath ?? {}).map(([what, change]) => ({ program, proxy, what, change })),
)
for (const { program, proxy, what, change } of pathCases) {
  const runs = isInstalled(program, `the relay below a path behind ${program}`)
  test.runIf(runs)(`a relay works below a path behind ${program}, which ${what}`, async () => {
    const folder = await temporaryFolder()
    const [port = 0, relayPort = 0] = await findPorts(2)
    const baseUrl = `${proxy.scheme}://localhost:${port}/sms`
    const settings = { dataDir: folder, baseUrl, trustProxy: 'loopback', port: relayPort }
    const relay = await createRelay(settings)
    await relay.start()
    onTestFinished(async () => await relay.stop())
    const place = { folder, port, relay: `127.0.0.1:${relayPort}` }
    const adapt = (text: string, at: Place): string => proxy.adapt(change(text), at)
    const { send, readLog } = await startProxy(program, { ...proxy, adapt }, place)
    const { email, password, ...keys } = await relay.administration.createAccount({
      email: 'a@b.c',
    })
    const login = Buffer.from(`${keys.secret_key}:${keys.api_key}`).toString('base64')
    const token = await send('GET', '/sms/oauth', { authorization: `Basic ${login}` })
    const bearer = { authorization: `Bearer ${token.json.access_token}` }
    const list = await send('GET', '/sms/api/1/message', bearer)
    expect(list).toMatchObject({ status: 200, json: { messages: [] } })

    const form = new URLSearchParams({ email, password: String(password) }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { response: signedIn } = await send('POST', '/sms/login', type, form)
    expect(signedIn.headers.location).toBe('/sms/')
    const cookie = String(signedIn.headers['set-cookie']?.[0]?.split(';')[0])
    const overview = await send('GET', '/sms/', { cookie })
    expect(overview.status).toBe(200)
    // Only the build has /docs.
    for (const [, address = ''] of overview.text.matchAll(
      / (?:href|src)="(\/(?!sms\/docs)[^"?]*)"/g,
    ))
      expect(await send('GET', address, { cookie }), address).toMatchObject({ status: 200 })
    const live = { cookie, accept: 'text/event-stream' }
    const { response: stream } = await send('GET', '/sms/live', live, null)
    expect(stream.headers['content-type']).toContain('text/event-stream')

    expect((await send('GET', '/sms/u/sru_guess', {})).status).toBe(404)
    expect(await readLog()).not.toContain('sru_guess')
  })
}
