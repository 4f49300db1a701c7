import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { RelayError } from '../../errors.js'
import { hashText } from '../crypto/secrets.js'

/** A directory that is locked until {@link DirectoryLock.release} or the end of this process. */
export interface DirectoryLock {
  /** Calls `onConnection` for each connection to the directory's socket, including earlier ones. */
  serve(onConnection: (socket: Socket) => void): void
  release(): Promise<void>
}

/** The longest path of a socket (107 bytes, unix(7)) without the longest name in the directory. */
const maxDirectoryLength = 103 - '/lock-00000000-p4194304'.length
const maxAttempts = 40

/**
 * Locks a directory for this process by listening on a socket in it, which the system closes when
 * the process ends. Creates the directory. Throws `directory_in_use`, and `configuration` if the
 * directory cannot be used.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await createDirectory(directory)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const lock =
      process.platform === 'win32' ? await lockWithPipe(directory) : await lockWithSocket(directory)
    if (lock === 'locked') break
    if (lock !== 'retry') return lock
    await sleep(randomInt(10, 50))
  }
  throw new RelayError(
    'directory_in_use',
    `${await describeHolder(directory)} uses the directory ${directory}.`,
    { hint: 'Stop that smsrelay, or choose another directory.' },
  )
}

async function describeHolder(directory: string): Promise<string> {
  const [name = ''] = await listSockets(directory, ['lock']).catch(() => [])
  const pid = /-p(\d+)$/.exec(name)?.[1]
  return pid === undefined ? 'Another process' : `The process ${pid}`
}

/** Connects to the process that has locked a directory; undefined if it is not locked. */
export async function connectToHolder(directory: string): Promise<Socket | undefined> {
  if (process.platform === 'win32') return (await tryConnect(getPipePath(directory))).socket
  for (const name of await listSockets(directory, ['lock']).catch(() => [])) {
    const { socket } = await tryConnect(join(directory, name))
    if (socket !== undefined) return socket
  }
  return undefined
}

/**
 * The name of a socket has a random part and the process id. It is never used again, so any process
 * may remove one on which nobody listens. A socket is called `new-` until it listens, `try-` while
 * its process looks for others, and `lock-` before the process looks again: if two
 * processes have such a socket, at least the later one sees the other.
 */
async function lockWithSocket(directory: string): Promise<DirectoryLock | 'locked' | 'retry'> {
  const id = `${randomBytes(4).toString('hex')}-p${process.pid}`
  const path = (state: State): string => getSocketPath(directory, `${state}-${id}`)
  const lockPath = path('lock')
  const server = await tryListen(path('new'), directory)
  if (server === undefined) return 'retry'
  const lock = toDirectoryLock(server, lockPath)
  const release = async (): Promise<void> => {
    await lock.release()
    await rm(path('try'), { force: true })
  }
  try {
    const conflict = await findConflict(directory, id, path)
    if (conflict === undefined) return lock
    await release()
    return conflict
  } catch (error) {
    await release()
    throw notWritableError(directory, error)
  }
}

type State = 'new' | 'try' | 'lock'

async function findConflict(
  directory: string,
  id: string,
  path: (state: State) => string,
): Promise<'locked' | 'retry' | undefined> {
  await rename(path('new'), path('try'))
  const others = await listLiveSockets(directory, ['try', 'lock'])
  if (others.some(name => name.startsWith('lock-'))) return 'locked'
  if (others.some(name => name < `try-${id}`)) return 'retry'
  await rename(path('try'), path('lock'))
  const holders = await listLiveSockets(directory, ['lock'])
  return holders.some(name => name !== `lock-${id}`) ? 'retry' : undefined
}

/** Names of the sockets that a process listens on; removes the others. */
async function listLiveSockets(directory: string, states: readonly State[]): Promise<string[]> {
  const live: string[] = []
  for (const name of await listSockets(directory, states)) {
    const path = join(directory, name)
    const { socket, isDead } = await tryConnect(path)
    socket?.destroy()
    if (isDead) await rm(path, { force: true })
    else live.push(name)
  }
  return live
}

async function listSockets(directory: string, states: readonly State[]): Promise<string[]> {
  const all = await readdir(directory)
  return all.filter(name => states.some(state => name.startsWith(`${state}-`)))
}

async function lockWithPipe(directory: string): Promise<DirectoryLock | 'locked'> {
  const path = getPipePath(directory)
  const server = await tryListen(path, directory)
  return server === undefined ? 'locked' : toDirectoryLock(server, path)
}

function getPipePath(directory: string): string {
  return `\\\\.\\pipe\\smsrelay-${hashText(directory)}`
}

function getSocketPath(directory: string, name: string): string {
  if (Buffer.byteLength(directory) <= maxDirectoryLength) return join(directory, name)
  throw new RelayError('configuration', `The path of the directory is too long: ${directory}.`, {
    hint: `Choose one of at most ${maxDirectoryLength} bytes.`,
  })
}

async function createDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw notWritableError(directory, error)
  }
}

function notWritableError(directory: string, error: unknown): RelayError {
  const code = (error as NodeJS.ErrnoException).code ?? 'error'
  return new RelayError(
    'configuration',
    `The data directory ${directory} cannot be written (${code}).`,
    {
      hint: 'Choose another one with --data, or correct its permissions.',
      cause: error,
    },
  )
}

async function tryListen(path: string, directory: string): Promise<Server | undefined> {
  const server = createServer()
  listenAsOwner(() => server.listen({ path, readableAll: false, writableAll: false }))
  try {
    await once(server, 'listening')
    if (process.platform !== 'win32') await chmod(path, 0o600)
    return server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw notWritableError(directory, error)
  }
}

/** Creates the socket with permissions for its owner only, from the first moment. */
function listenAsOwner(listen: () => void): void {
  if (!isMainThread) {
    listen()
    return
  }
  const mask = process.umask(0o177)
  try {
    listen()
  } finally {
    process.umask(mask)
  }
}

interface Connection {
  readonly socket?: Socket
  /** Whether it is certain that no process listens. */
  readonly isDead: boolean
}

async function tryConnect(path: string): Promise<Connection> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return { socket, isDead: false }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return { isDead: ['ECONNREFUSED', 'ENOENT'].includes(code) }
  }
}

function toDirectoryLock(server: Server, path: string): DirectoryLock {
  const sockets = new Set<Socket>()
  let onConnection: ((socket: Socket) => void) | undefined
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    onConnection?.(socket)
  })
  return {
    serve: listener => {
      onConnection = listener
      for (const socket of sockets) listener(socket)
    },
    release: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
      await rm(path, { force: true })
    },
  }
}
