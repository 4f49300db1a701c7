import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRelayError, RelayError } from '../../errors.js'
import { hashText } from '../../util/crypto/secrets.js'
import { cannotWriteError, JournalLog, toErrorReason } from '../../util/files/append-log.js'
import { writeFileAtomic } from '../../util/files/atomic-write.js'
import { decodeChecksumLine, encodeChecksumLine } from '../../util/files/checksum-line.js'
import { type DirectoryLock, lockDirectory } from '../../util/files/directory-lock.js'
import type { ReceivedStore } from '../received/received-inbox.js'
import { openReceivedLog } from '../received/received-log.js'
import { AttemptHistory } from './attempt-history.js'
import { AttemptJournal, type Journal } from './journal.js'
import {
  decodeJournal,
  encodeAttemptRecord,
  encodeJournal,
  type JournalReading,
} from './journal-format.js'

/** Options of {@link openFileJournal}. */
export interface FileJournalOptions {
  /** The keys the phone signs in with: a journal belongs to one account, and a token to one pair of keys. */
  readonly credentials: { readonly user: string; readonly password: string }
  /** Told in one sentence of things worth knowing. */
  readonly warn?: (sentence: string) => void
  /** Messages that were sent and reported and are still remembered. @default 10000 */
  readonly maxRemembered?: number
  /** Bytes the file grows by before it is written anew. @default 524288 */
  readonly compactAfter?: number
}

/** A directory in which the loops of one phone remember their attempts and their tokens through every crash. */
export interface FileJournal extends AsyncDisposable {
  readonly directory: string
  /** The journal of one loop, counted from 0. */
  worker(worker: number): Journal
  /** The loops of which an earlier run left outcomes that the relay does not know. */
  workersWithUnreported(): readonly number[]
  readonly received: ReceivedStore
  /** The token a loop had last. */
  readToken(worker: number): Promise<string | undefined>
  /** Keeps the token of a loop; a directory that cannot be written is told as a warning. */
  saveToken(worker: number, token: string): Promise<void>
}

const unfinishedError =
  'The phone stopped while it was sending this message; it is not known whether it was sent.'

/** A short name for the journal of one account on one relay, which tells neither. */
export function getJournalName(url: string, secretKey: string): string {
  return hashText(JSON.stringify([url, secretKey])).slice(0, 12)
}

/**
 * Opens a journal, for this process alone. An attempt that was begun and never came to an end has the outcome
 * `unknown`. Throws `directory_in_use`, `configuration` and `damaged_data`.
 */
export async function openFileJournal(
  directory: string,
  options: FileJournalOptions,
): Promise<FileJournal> {
  const lock = await lockJournal(directory)
  try {
    return await openLocked(directory, options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openLocked(
  directory: string,
  {
    credentials,
    warn = () => {},
    maxRemembered: most,
    compactAfter = 512 * 1024,
  }: FileJournalOptions,
  lock: DirectoryLock,
): Promise<FileJournal> {
  const path = join(directory, 'journal')
  const owner = hashText(credentials.user)
  const found = await loadAttempts(path, owner, most)
  if (found.torn > 0) {
    warn(`${path} ended in ${found.torn} bytes of an unfinished line, which were cut off.`)
  }
  const { history: book } = found
  const whole = () => encodeJournal(owner, book)
  const log = new JournalLog(
    { path, whole, line: encodeAttemptRecord, warn, compactAfter },
    found.length,
  )
  const attempts = new AttemptJournal(book, log)
  const received = await openReceivedLog(join(directory, 'received'), {
    ...{ owner, warn, compactAfter },
  })
  const left = [...new Set([...book.listOpen()].map(each => each.worker))]
  for (const { key, outcome } of [...book.listOpen()]) {
    const unknown = { result: 'unknown', error: unfinishedError } as const
    if (outcome === undefined) book.apply({ do: 'end', key, outcome: unknown })
  }
  const tokens = openTokenFiles(directory, hashText(`${credentials.user}:${credentials.password}`))
  return {
    ...{ directory, received },
    worker: worker => attempts.worker(worker),
    workersWithUnreported: () => left,
    readToken: tokens.read,
    saveToken: async (worker, token) => {
      await tokens
        .write(worker, token)
        .catch(error => warn(cannotWriteError(directory, error).message))
    },
    async [Symbol.asyncDispose]() {
      await log.close()
      await received[Symbol.asyncDispose]()
      await lock.release()
    },
  }
}

/** The journal of this owner; a new one where there is none, or one of somebody else that is of no use any more. */
async function loadAttempts(path: string, owner: string, most?: number): Promise<JournalReading> {
  const book = new AttemptHistory(most)
  const bytes = await readFileIfExists(path)
  const found = bytes === undefined ? undefined : decodeJournal(path, bytes, book)
  if (found?.owner === owner) return found
  if (found !== undefined && [...book.listOpen()].length > 0) {
    throw new RelayError(
      'configuration',
      `${path} holds outcomes of another account that its relay does not know yet.`,
      { hint: 'Choose another directory with --journal, or move that file away.' },
    )
  }
  const empty = new AttemptHistory(most)
  const content = encodeJournal(owner, empty)
  try {
    await writeFileAtomic(path, content)
  } catch (cause) {
    throw cannotWriteError(path, cause)
  }
  return { owner, history: empty, length: Buffer.byteLength(content), torn: 0 }
}

/** The tokens of the loops, a file each; one that was issued for other keys does not count. */
function openTokenFiles(directory: string, keys: string) {
  const pathOf = (worker: number) => join(directory, `token-${worker}`)
  return {
    read: async (worker: number): Promise<string | undefined> => {
      const bytes = await readFileIfExists(pathOf(worker))
      const kept = bytes && (decodeChecksumLine(bytes.subarray(0, -1)) as StoredToken | undefined)
      return kept?.keys === keys ? kept.token : undefined
    },
    write: async (worker: number, token: string): Promise<void> => {
      await writeFileAtomic(
        pathOf(worker),
        encodeChecksumLine({ token, keys } satisfies StoredToken),
      )
    },
  }
}

interface StoredToken {
  readonly token: string
  readonly keys: string
}

async function readFileIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new RelayError('configuration', `${path} cannot be read (${toErrorReason(cause)}).`, {
      cause,
    })
  }
}

async function lockJournal(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (isRelayError(cause, 'directory_in_use')) {
      throw new RelayError('directory_in_use', `Another phone uses the journal ${directory}.`, {
        hint: 'Stop it, let it work on more at a time with --concurrency, or give this one another --journal.',
        cause,
      })
    }
    if (!isRelayError(cause, 'configuration')) throw cause
    const why = cause.cause === undefined ? 'its path is too long' : toErrorReason(cause.cause)
    throw new RelayError('configuration', `The journal ${directory} cannot be used (${why}).`, {
      hint: 'Choose another directory with --journal, or do without one with --no-journal.',
      cause,
    })
  }
}
