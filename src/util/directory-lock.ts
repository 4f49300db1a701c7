import { once } from 'node:events'
import { mkdir, rename, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { RelayError } from '../errors.js'
import { digest } from './secrets.js'

/** The holder of a directory: nobody else can have it until {@link DirectoryLock.release}, or until this process dies. */
export interface DirectoryLock {
  /** Answers those who connect to the directory's socket from now on. */
  serve(onConnection: (socket: Socket) => void): void
  release(): Promise<void>
}

const longestSocketPath = 100

/**
 * Takes a directory for this process alone, by listening on a socket in it: the system lets go of that
 * however the process ends. Creates the directory. Throws `directory_in_use`, and `configuration` where
 * the directory cannot be used.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await makeDirectory(directory)
  const path = socketPath(directory)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = await tryListen(path, directory)
    if (server !== undefined) return toLock(server)
    if (await answers(path)) break
    await clearStale(path)
  }
  throw new RelayError(
    'directory_in_use',
    `Another process uses the data directory ${directory}.`,
    {
      hint: 'Stop that smsrelay, or choose another directory with --data.',
    },
  )
}

/** Connects to the process that holds a directory; undefined when nobody does. */
export async function connectToHolder(directory: string): Promise<Socket | undefined> {
  return await tryConnect(socketPath(directory))
}

/** Where the socket of a directory is. */
export function socketPath(directory: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\smsrelay-${digest(directory)}`
  const path = join(directory, 'service.sock')
  if (Buffer.byteLength(path) <= longestSocketPath) return path
  throw new RelayError(
    'configuration',
    `The path of the data directory is too long: ${directory}.`,
    {
      hint: `Choose one of at most ${longestSocketPath - '/service.sock'.length} bytes with --data.`,
    },
  )
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw notWritable(directory, error)
  }
}

function notWritable(directory: string, error: unknown): RelayError {
  const code = (error as NodeJS.ErrnoException).code ?? 'error'
  return new RelayError(
    'configuration',
    `The data directory ${directory} cannot be written (${code}).`,
    {
      hint: 'Choose another with --data, or mend its permissions.',
      cause: error,
    },
  )
}

async function tryListen(path: string, directory: string): Promise<Server | undefined> {
  const server = createServer()
  server.listen({ path, readableAll: false, writableAll: false })
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw notWritable(directory, error)
  }
}

async function tryConnect(path: string): Promise<Socket | undefined> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}

async function answers(path: string): Promise<boolean> {
  const socket = await tryConnect(path)
  socket?.destroy()
  return socket !== undefined
}

// Two processes may clear the same stale socket: what is moved away is looked at again before it goes,
// because by then it may be the living socket of the faster one.
async function clearStale(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if (await answers(aside)) await rename(aside, path)
  else await unlink(aside)
}

function toLock(server: Server): DirectoryLock {
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
    },
    release: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
