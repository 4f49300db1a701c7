import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome } from './program.js'

/** A server that accepts connections and never answers, so that a start waits. */
async function runSilentServer(): Promise<{ server: Server; url: string }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { server, url: `postgres://ann:geheim@127.0.0.1:${port}/relay` }
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a start that waits', async name => {
  const { server, url } = await runSilentServer()
  const running = (await makeHome()).start(['serve', '--database', url])
  const [socket] = (await once(server, 'connection')) as [Socket]
  socket.on('error', () => {})
  expect(await running.end(name)).toBe(0)
  const { stdout, stderr } = await running.ended
  expect(stdout).toBe('')
  expect(stderr).toContain('The start was interrupted.')
  expect(stderr).not.toContain('cannot be reached')
})

test.skipIf(process.platform !== 'linux')(
  'secrets in flags are not in the process list while the program runs',
  async () => {
    const { server, url } = await runSilentServer()
    const running = (await makeHome()).start([
      ...[
        'serve',
        '--database',
        url,
        '--metrics-token',
        'geheim-geheim-geheim',
        '--mail-relay',
        'smtp://a:geheim@b',
      ],
    ])
    const [socket] = (await once(server, 'connection')) as [Socket]
    socket.on('error', () => {})
    const line = await readFile(`/proc/${running.child.pid}/cmdline`, 'utf8')
    expect(line).toMatch(/^smsrelay serve --database postgres:/)
    expect(line).not.toContain('geheim')
    socket.destroy()
    const { code, stderr } = await running.ended
    expect(code).toBe(1)
    expect(stderr).toContain('PGPASSWORD')
    expect(stderr).toContain(`The database relay on ${new URL(url).host} cannot be reached.`)
    expect(stderr).not.toContain('geheim')
  },
)
