import { type BigIntStats, lstatSync, rmSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Server } from 'node:net'
import { RelayError } from '../../errors.js'
import { getFailureReason, isMissingFile } from '../../util/files/file-error.js'
import { listenOnSocketFile, tryConnect } from '../../util/files/socket-file.js'

/** The owner and the group may connect, so that a proxy in the group can. */
const socketMode = 0o660

/** Longest path of a Unix socket in bytes; Node would shorten a longer one. */
const maxPathLength = process.platform === 'linux' ? 107 : 103

/**
 * Listens on a Unix socket with mode 0660. Replaces the socket of a program that has ended. Throws
 * `configuration` if a program listens there, or if the path is that of something else.
 */
export async function listenOnUnixSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > maxPathLength) {
    throw new RelayError('configuration', `The path of the socket is too long: ${path}.`, {
      hint: `Choose one of at most ${maxPathLength} bytes with --socket.`,
    })
  }
  try {
    await removeStaleSocket(path)
    await listenOnSocketFile(server, path, socketMode)
  } catch (error) {
    throw error instanceof RelayError ? error : cannotListenError(path, error)
  }
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path, { bigint: true }).catch(ignoreMissing)
  if (found === undefined) return
  if (!found.isSocket()) {
    const kind = found.isDirectory() ? 'a directory' : 'a file'
    throw new RelayError('configuration', `${path} is ${kind} and not a socket.`, {
      hint: 'Choose another path with --socket, or remove it.',
    })
  }
  const { socket, isDead } = await tryConnect(path)
  socket?.destroy()
  if (socket !== undefined) throw otherProgramError(path)
  if (!isDead) throw cannotListenError(path, new Error('its program cannot be reached'))
  removeSocket(path, found)
}

/**
 * Removes a socket unless another program has replaced it since it was `found`: of two programs
 * that start at once, the slower one must not remove the new socket of the other. The
 * check and the removal follow each other without waiting.
 */
function removeSocket(path: string, found: BigIntStats): void {
  const current = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (current === undefined) return
  const isSame = current.ino === found.ino && current.mtimeNs === found.mtimeNs
  if (!isSame) throw otherProgramError(path)
  rmSync(path, { force: true })
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error
}

function otherProgramError(path: string): RelayError {
  return new RelayError('configuration', `Another program is listening on ${path}.`, {
    hint: 'Stop it, or choose another path with --socket.',
  })
}

function cannotListenError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('configuration', `Cannot listen on the socket ${path} (${reason}).`, {
    hint: 'Choose a path with --socket in a directory that exists and that you may write to.',
    cause,
  })
}
