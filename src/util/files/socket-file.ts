import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { connect, type Server, type Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/** Listens on a socket file that has the permissions `mode` from the first moment. */
export async function listenOnSocketFile(
  server: Server,
  path: string,
  mode: number,
): Promise<void> {
  const listen = () => server.listen({ path, readableAll: false, writableAll: false })
  if (isMainThread) startWithMode(mode, listen)
  else listen()
  await once(server, 'listening')
  // A thread cannot set the permissions of new files.
  if (!isMainThread && process.platform !== 'win32') await chmod(path, mode)
}

function startWithMode(mode: number, start: () => void): void {
  const mask = process.umask(0o777 - mode)
  try {
    start()
  } finally {
    process.umask(mask)
  }
}

export interface SocketConnection {
  readonly socket?: Socket
  /** Whether it is certain that no process listens on the socket file. */
  readonly isDead: boolean
}

export async function tryConnect(path: string): Promise<SocketConnection> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return { socket, isDead: false }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return { isDead: ['ECONNREFUSED', 'ENOENT'].includes(code) }
  }
}
