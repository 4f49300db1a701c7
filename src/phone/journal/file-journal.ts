import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRelayError, RelayError } from '../../errors.js'
import { digest } from '../../util/crypto/secrets.js'
import { cannotWrite, JournalLog, reason } from '../../util/files/append-log.js'
import { replaceFile } from '../../util/files/atomic-write.js'
import { decodeCheckedLine, encodeCheckedLine } from '../../util/files/checksum-line.js'
import { type DirectoryLock, lockDirectory } from '../../util/files/directory-lock.js'
import type { ReceivedStore } from '../received/received-inbox.js'
import { openReceivedLog } from '../received/received-log.js'
import { AttemptBook } from './attempt-history.js'
import { Attempts, type Journal } from './journal.js'
import { decodeJournal, encodeJournal, encodeNote, type JournalReading } from './journal-format.js'

/** Options of {@link openFileJournal}. */
export interface FileJournalOptions {
  /** The keys the phone signs in with: a journal belongs to one account, and a token to one pair of keys. */
  readonly credentials: { readonly user: string; readonly password: string }
  /** Told in one sentence of things worth knowing. */
  readonly warn?: (sentence: string) => void
  /** Messages that were sent and reported and are still remembered. @default 10000 */
  readonly most?: number
  /** Bytes the file grows by before it is written anew. @default 524288 */
  readonly compactAfter?: number
}

/** A directory in which the loops of one phone remember their attempts and their tokens through every crash. */
export interface FileJournal extends AsyncDisposable {
  readonly directory: string
  /** The journal of one loop, counted from 0. */
  worker(worker: number): Journal
  /** The loops of which an earlier run left outcomes that the relay does not know. */
  left(): readonly number[]
  readonly received: ReceivedStore
  /** The token a loop had last. */
  token(worker: number): Promise<string | undefined>
  /** Keeps the token of a loop; a directory that cannot be written is told as a warning. */
  keepToken(worker: number, token: string): Promise<void>
}

const neverEnded =
  'The phone stopped while it was sending this message; it is not known whether it was sent.'

/** A short name for the journal of one account on one relay, which tells neither. */
export function journalName(url: string, secretKey: string): string {
  return digest(JSON.stringify([url, secretKey])).slice(0, 12)
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
    return await open(directory, options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function open(
  directory: string,
  { credentials, warn = () => {}, most, compactAfter = 512 * 1024 }: FileJournalOptions,
  lock: DirectoryLock,
): Promise<FileJournal> {
  const path = join(directory, 'journal')
  const owner = digest(credentials.user)
  const found = await load(path, owner, most)
  if (found.torn > 0) {
    warn(`${path} ended in ${found.torn} bytes of an unfinished line, which were cut off.`)
  }
  const { book } = found
  const whole = () => encodeJournal(owner, book)
  const log = new JournalLog({ path, whole, line: encodeNote, warn, compactAfter }, found.length)
  const attempts = new Attempts(book, log)
  const received = await openReceivedLog(join(directory, 'received'), {
    ...{ owner, warn, compactAfter },
  })
  const left = [...new Set([...book.open()].map(each => each.worker))]
  for (const { key, outcome } of [...book.open()]) {
    const unknown = { result: 'unknown', error: neverEnded } as const
    if (outcome === undefined) book.apply({ do: 'end', key, outcome: unknown })
  }
  const tokens = tokenFiles(directory, digest(`${credentials.user}:${credentials.password}`))
  return {
    ...{ directory, received },
    worker: worker => attempts.worker(worker),
    left: () => left,
    token: tokens.read,
    keepToken: async (worker, token) => {
      await tokens.write(worker, token).catch(error => warn(cannotWrite(directory, error).message))
    },
    async [Symbol.asyncDispose]() {
      await log.close()
      await received[Symbol.asyncDispose]()
      await lock.release()
    },
  }
}

/** The journal of this owner; a new one where there is none, or one of somebody else that is of no use any more. */
async function load(path: string, owner: string, most?: number): Promise<JournalReading> {
  const book = new AttemptBook(most)
  const bytes = await readIfThere(path)
  const found = bytes === undefined ? undefined : decodeJournal(path, bytes, book)
  if (found?.owner === owner) return found
  if (found !== undefined && [...book.open()].length > 0) {
    throw new RelayError(
      'configuration',
      `${path} holds outcomes of another account that its relay does not know yet.`,
      { hint: 'Choose another directory with --journal, or move that file away.' },
    )
  }
  const empty = new AttemptBook(most)
  const content = encodeJournal(owner, empty)
  try {
    await replaceFile(path, content)
  } catch (cause) {
    throw cannotWrite(path, cause)
  }
  return { owner, book: empty, length: Buffer.byteLength(content), torn: 0 }
}

/** The tokens of the loops, a file each; one that was issued for other keys does not count. */
function tokenFiles(directory: string, keys: string) {
  const pathOf = (worker: number) => join(directory, `token-${worker}`)
  return {
    read: async (worker: number): Promise<string | undefined> => {
      const bytes = await readIfThere(pathOf(worker))
      const kept = bytes && (decodeCheckedLine(bytes.subarray(0, -1)) as KeptToken | undefined)
      return kept?.keys === keys ? kept.token : undefined
    },
    write: async (worker: number, token: string): Promise<void> => {
      await replaceFile(pathOf(worker), encodeCheckedLine({ token, keys } satisfies KeptToken))
    },
  }
}

interface KeptToken {
  readonly token: string
  readonly keys: string
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new RelayError('configuration', `${path} cannot be read (${reason(cause)}).`, { cause })
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
    const why = cause.cause === undefined ? 'its path is too long' : reason(cause.cause)
    throw new RelayError('configuration', `The journal ${directory} cannot be used (${why}).`, {
      hint: 'Choose another directory with --journal, or do without one with --no-journal.',
      cause,
    })
  }
}
