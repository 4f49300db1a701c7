import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.js'

const run = promisify(execFile)
const program = 'pgbouncer'

/** Whether PgBouncer is installed. */
export const hasPgBouncer = await run(program, ['--version']).then(
  () => true,
  () => false,
)

/** Runs a PgBouncer in transaction mode until the end of the test; returns the URL through it. */
export async function runPgBouncer(url: string): Promise<string> {
  const { hostname, port, username } = new URL(url)
  const folder = await temporaryFolder()
  const own = new URL(url)
  own.port = `${await findFreePort()}`
  const settings = `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own.port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings)
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? await findNobody() : {}
  const child = spawn(program, ['-q', file], { ...user, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await expect.poll(async () => await canConnect(Number(own.port))).toBe(true)
  return own.href
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const read = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await read('-u'), gid: await read('-g') }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
