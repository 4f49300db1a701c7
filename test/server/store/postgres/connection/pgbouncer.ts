import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, vi } from 'vitest'
import { findFreePort } from '../../../../../tools/ports/free-ports.js'
import { serverUrl } from '../test-postgres.js'

const run = promisify(execFile)
const program = 'pgbouncer'

/** Whether PgBouncer is installed. */
export const hasPgBouncer = await run(program, ['--version']).then(
  () => true,
  () => false,
)

/**
 * Runs a PgBouncer in transaction mode before a server for all tests of a block, with further
 * settings of pgbouncer.ini, `NAME = VALUE`. The returned function changes the URL of a database to
 * one through it. PgBouncer checks each connection before its use, since a database that tests
 * reuse ends all connections to it.
 */
export function usePgBouncer(
  getServer: () => string = () => serverUrl,
  settings: readonly string[] = [],
): (url: string) => string {
  let port = 0
  beforeAll(async () => {
    port = await findFreePort()
    const folder = await mkdtemp(join(tmpdir(), 'smsrelay-pgbouncer-'))
    const file = join(folder, 'pgbouncer.ini')
    const { hostname, port: target, username } = new URL(getServer())
    const content = `[databases]
* = host=${hostname} port=${target} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
server_check_delay = 0
server_check_query = select 1
${settings.join('\n')}
`
    await writeFile(file, content)
    await chmod(folder, 0o755)
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? await findNobody() : {}
    const child = spawn(program, ['-q', file], { ...user, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await vi.waitUntil(async () => await canConnect(port), { timeout: 60_000 })
    return async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    }
  })
  return url => Object.assign(new URL(url), { port: `${port}` }).href
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const read = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await read('-u'), gid: await read('-g') }
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
