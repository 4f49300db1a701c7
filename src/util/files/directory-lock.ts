import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { hashText } from '../crypto/secrets.js'
import { getFailureReason } from './file-error.js'
import { type Flock, tryFlock } from './flock.js'
import { makeDirectory } from './make-directory.js'
import { listenOnSocketFile, tryConnect } from './socket-file.js'

export interface DirectoryLock {
  /** Calls `onConnection` for each connection to the directory's socket, including earlier ones. */
  serve(onConnection: (socket: Socket) => void): void
  release(): Promise<void>
}

/**
 * The longest path of a directory lock's socket (103 bytes on macOS, 107 on Linux) without its
 * longest name.
 */
const maxDirectoryLength = 103 - '/lock-p4194304'.length

/**
 * Locks a directory for this process, until {@link DirectoryLock.release} or the end of the
 * process, with a lock of the operating system. A socket in the directory names the process and
 * serves administration. Creates the directory. Throws `directory_in_use`, and `configuration` if
 * the directory cannot be used.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  try {
    await makeDirectory(directory)
    const flock = await tryFlock(directory)
    if (flock === undefined) throw await directoryInUseError(directory)
    return await listenInDirectory(directory, flock)
  } catch (error) {
    throw error instanceof RelayError ? error : cannotUseError(directory, error)
  }
}

async function listenInDirectory(directory: string, flock: Flock): Promise<DirectoryLock> {
  try {
    const path = getSocketPath(directory)
    await removeStaleSockets(directory)
    return toDirectoryLock(await listen(path), { path, flock })
  } catch (error) {
    flock.release()
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE' ? await directoryInUseError(directory) : error
  }
}

async function directoryInUseError(directory: string): Promise<RelayError> {
  const [name = ''] = await listSockets(directory).catch(() => [])
  const pid = /-p(\d+)$/.exec(name)?.[1]
  const holder = pid === undefined ? 'Another process' : `The process ${pid}`
  return new RelayError('directory_in_use', `${holder} uses the directory ${directory}.`, {
    hint: 'Stop that smsrelay, or choose another directory.',
  })
}

/** Connects to the process that has locked a directory; undefined if the lock is free. */
export async function connectToHolder(directory: string): Promise<Socket | undefined> {
  if (process.platform === 'win32') return (await tryConnect(getPipePath(directory))).socket
  for (const name of await listSockets(directory).catch(() => [])) {
    const { socket } = await tryConnect(join(directory, name))
    if (socket !== undefined) return socket
  }
  return undefined
}

/**
 * Removes the sockets of processes that have ended. Throws `directory_in_use` if one still listens:
 * a process whose lock this system does not see.
 */
async function removeStaleSockets(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  for (const name of await listSockets(directory)) {
    const path = join(directory, name)
    const { socket, isDead } = await tryConnect(path)
    socket?.destroy()
    if (!isDead) throw await directoryInUseError(directory)
    await rm(path, { force: true })
  }
}

async function listSockets(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter(name => name.startsWith('lock-'))
}

function getPipePath(directory: string): string {
  return `\\\\.\\pipe\\smsrelay-${hashText(directory)}`
}

function getSocketPath(directory: string): string {
  if (process.platform === 'win32') return getPipePath(directory)
  if (Buffer.byteLength(directory) <= maxDirectoryLength)
    return join(directory, `lock-p${process.pid}`)
  throw new RelayError('configuration', `The path of the directory is too long: ${directory}.`, {
    hint: `Choose one of at most ${maxDirectoryLength} bytes.`,
  })
}

function cannotUseError(directory: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('configuration', `The directory ${directory} cannot be used (${reason}).`, {
    hint: 'Choose another one with --data or SMSRELAY_DATA_DIR, or correct its permissions.',
    cause,
  })
}

async function listen(path: string): Promise<Server> {
  const server = createServer()
  await listenOnSocketFile(server, path, 0o600)
  return server
}

interface HeldLock {
  readonly path: string
  readonly flock: Flock
}

function toDirectoryLock(server: Server, { path, flock }: HeldLock): DirectoryLock {
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
      flock.release()
    },
  }
}
