import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Home, makeHome, program } from '../program.js'

type Target = { readonly socketPath: string } | { readonly host: string; readonly port: number }

async function get(
  target: Target,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status?: number; body: string }> {
  return await new Promise((resolve, reject) => {
    request({ ...target, path, headers, agent: false }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', text => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}

async function listen(where: string | number): Promise<{ server: Server; fd: number }> {
  const server = typeof where === 'string' ? createServer().listen(where) : createServer()
  if (typeof where === 'number') server.listen(where, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { _handle: handle } = server as unknown as { _handle: { fd: number } }
  return { server, fd: handle.fd }
}

/** Starts a relay with sockets that this process opened, as systemd does. */
async function startWithSockets(home: Home, fds: readonly number[], names: string, argv: string[]) {
  const set = `LISTEN_PID=$$ LISTEN_FDS=${fds.length} LISTEN_FDNAMES=${names}`
  const command = [process.execPath, program, 'serve', '--data', join(home.dir, 'data'), '--json']
  const child = spawn('sh', ['-c', `${set} exec "$@"`, 'sh', ...command, ...argv], {
    env: home.env,
    stdio: ['ignore', 'pipe', 'pipe', ...fds],
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close')
  })
  let stdout = ''
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  return await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.once('close', () => reject(new Error(stdout + stderr)))
    child.stdout?.setEncoding('utf8').on('data', text => {
      stdout += text
      const line = stdout.split('\n').find(each => each.includes('"listening"'))
      if (line !== undefined) resolve(JSON.parse(line))
    })
  })
}

test('serve --socket serves the relay on a Unix socket, and no port', async () => {
  const home = await makeHome()
  const socketPath = join(home.dir, 'relay.sock')
  const flags = ['--data', join(home.dir, 'data'), '--json', '--base-url', 'http://sms.example.com']
  const running = home.start(['serve', '--socket', socketPath, ...flags])
  const listening = await running.line(value => value.event === 'listening')
  expect(listening).toEqual({ event: 'listening', url: `unix:${socketPath}` })
  expect(await get({ socketPath }, '/healthz')).toMatchObject({ status: 200 })
  expect(await running.end('SIGTERM')).toBe(0)
  await expect(get({ socketPath }, '/healthz')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('serve takes the ports that its parent opened, for requests and for metrics', async () => {
  const home = await makeHome()
  const [relay, metrics] = [await listen(0), await listen(0)]
  const fds = [metrics.fd, relay.fd]
  const listening = await startWithSockets(home, fds, 'metrics:web', [])
  const { port } = relay.server.address() as { port: number }
  const { port: metricsPort } = metrics.server.address() as { port: number }
  expect(listening).toMatchObject({
    url: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
  })
  // Only the relay accepts connections.
  relay.server.close()
  metrics.server.close()
  expect(await get({ host: '127.0.0.1', port }, '/healthz')).toMatchObject({ status: 200 })
  const foreign = { host: 'evil.example' }
  for (const each of [port, metricsPort]) {
    const reply = await get({ host: '127.0.0.1', port: each }, '/healthz', foreign)
    expect(reply).toMatchObject({ status: 403, body: expect.stringContaining('--base-url') })
  }
  const scraped = await get({ host: '127.0.0.1', port: metricsPort }, '/metrics')
  expect(scraped.body).toContain(`smsrelay_build_info{version="${packageJson.version}",`)
})

test('serve takes the Unix socket that its parent opened, and needs --base-url then', async () => {
  const home = await makeHome()
  const socketPath = join(home.dir, 'passed.sock')
  const { server, fd } = await listen(join(home.dir, 'first.sock'))
  // This process removes the path at the end of its own server.
  await rename(join(home.dir, 'first.sock'), socketPath)
  await expect(startWithSockets(home, [fd], 'web', [])).rejects.toThrow('--base-url')
  const argv = ['--base-url', 'http://sms.example.com']
  expect(await startWithSockets(home, [fd], 'web', argv)).toMatchObject({ url: 'fd:3' })
  server.close()
  expect(await get({ socketPath }, '/healthz')).toMatchObject({ status: 200 })
})
