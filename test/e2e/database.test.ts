import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome } from './program.js'

test.skipIf(process.platform !== 'linux')(
  'a password in --database is not in the process list while the program runs',
  async () => {
    // A server that accepts connections and never answers, so the program waits.
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const home = await makeHome()
    const url = `postgres://ann:geheim@127.0.0.1:${port}/relay`
    const running = home.start(['serve', '--database', url])
    const [socket] = (await once(server, 'connection')) as [Socket]
    socket.on('error', () => {})
    const line = await readFile(`/proc/${running.child.pid}/cmdline`, 'utf8')
    expect(line.replaceAll('\0', '').trim()).toBe('smsrelay')
    socket.destroy()
    const { code, stderr } = await running.ended
    expect(code).toBe(1)
    expect(stderr).toContain('PGPASSWORD')
    expect(stderr).toContain(`The database relay on 127.0.0.1:${port} cannot be reached.`)
    expect(stderr).not.toContain('geheim')
  },
)
