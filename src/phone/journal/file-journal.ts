import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRelayError, RelayError } from '../../errors.js'
import { hashText } from '../../util/crypto/secrets.js'
import { writeFileAtomic } from '../../util/files/atomic-write.js'
import { BatchedLog } from '../../util/files/batched-log.js'
import { type DirectoryLock, lockDirectory } from '../../util/files/directory-lock.js'
import { cannotWriteError, getFailureReason, isMissingFile } from '../../util/files/file-error.js'
import { openReceiptLog, type ReceiptStore } from '../receipts/receipt-inbox.js'
import { openReceivedLog, type ReceivedStore } from '../received/received-inbox.js'
import { AttemptHistory, type AttemptRecord } from './attempt-history.js'
import { AttemptJournal, type Journal } from './journal.js'
import {
  decodeJournal,
  encodeAttemptRecord,
  encodeJournal,
  type JournalReading,
} from './journal-format.js'
import { openTokenFile } from './token-file.js'

export interface FileJournalOptions {
  /**
   * Keys of the phone: its journal belongs to the account of the secret key, a token to both keys.
   */
  readonly credentials: { readonly user: string; readonly password: string }
  /** Called with one sentence if a torn tail was truncated or a journal file cannot be written. */
  readonly warn?: (sentence: string) => void
  /** Maximum number of finished messages that the journal remembers. @default 10000 */
  readonly maxRemembered?: number
  /** Bytes by which a journal file grows before it is rewritten. @default 8388608 */
  readonly compactAfter?: number
}

/**
 * The phone's journal: a directory with its attempts, received texts and token, which survive a
 * crash.
 */
export interface FileJournal extends AsyncDisposable {
  readonly directory: string
  readonly attempts: Journal
  readonly received: ReceivedStore
  readonly receipts: ReceiptStore
  readToken(): Promise<string | undefined>
  /** Saves the phone's token in the journal; calls `warn` if it cannot be written. */
  saveToken(token: string): Promise<void>
}

/** Bytes. The records that are remembered have about 2 MB, so rewriting costs little. */
const maxGrowth = 8 * 1024 * 1024
/** Bytes of the journal of attempts that are written ahead, so that a record costs one write. */
const preallocation = 256 * 1024

const unfinishedError =
  'The phone stopped while it was sending this message; it is not known whether it was sent.'

export function getJournalName(url: string, secretKey: string): string {
  return hashText(JSON.stringify([url, secretKey])).slice(0, 12)
}

/**
 * Opens a phone's journal for this process alone. An attempt without an end has the outcome
 * `unknown`. Throws `directory_in_use`, `configuration`, `unavailable` and `damaged_data`.
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
  { credentials, warn = () => {}, maxRemembered, compactAfter = maxGrowth }: FileJournalOptions,
  lock: DirectoryLock,
): Promise<FileJournal> {
  const path = join(directory, 'journal')
  const owner = hashText(credentials.user)
  const { history, length, torn } = await loadAttempts(path, owner, maxRemembered)
  if (torn > 0) warn(`${path} ended with a torn line; its ${torn} bytes were truncated.`)
  const log = new BatchedLog<AttemptRecord>({
    path,
    length,
    encodeAll: () => [encodeJournal(owner, history)],
    encode: encodeAttemptRecord,
    warn,
    rewriteAfter: compactAfter,
    preallocate: preallocation,
  })
  const shared = { owner, warn, compactAfter }
  const received = await openReceivedLog(join(directory, 'received'), shared)
  const receipts = await openReceiptLog(join(directory, 'receipts'), shared)
  endUnfinished(history)
  const tokenFile = openTokenFile(
    directory,
    hashText(`${credentials.user}:${credentials.password}`),
  )
  return {
    directory,
    received,
    receipts,
    attempts: new AttemptJournal(history, log),
    readToken: tokenFile.read,
    saveToken: async token => {
      await tokenFile.write(token).catch((error: Error) => warn(error.message))
    },
    async [Symbol.asyncDispose]() {
      await log.close()
      for (const each of [received, receipts]) await each[Symbol.asyncDispose]()
      await lock.release()
    },
  }
}

function endUnfinished(history: AttemptHistory): void {
  const outcome = { result: 'unknown', error: unfinishedError } as const
  for (const attempt of [...history.listOpen()]) {
    if (attempt.outcome === undefined) history.apply({ do: 'end', key: attempt.key, outcome })
  }
}

/** A phone journal of another account is replaced if all its outcomes are reported. */
async function loadAttempts(
  path: string,
  owner: string,
  maxRemembered?: number,
): Promise<JournalReading> {
  const bytes = await readFileIfExists(path)
  if (bytes !== undefined) {
    const reading = decodeJournal(path, bytes, new AttemptHistory(maxRemembered))
    if (reading.owner === owner) return reading
    if ([...reading.history.listOpen()].length > 0) {
      throw new RelayError(
        'configuration',
        `${path} contains outcomes of another account that its relay does not know yet.`,
        { hint: 'Choose another directory with --journal, or move that file away.' },
      )
    }
  }
  return await createJournalFile(path, owner, new AttemptHistory(maxRemembered))
}

async function createJournalFile(
  path: string,
  owner: string,
  history: AttemptHistory,
): Promise<JournalReading> {
  const content = encodeJournal(owner, history)
  try {
    await writeFileAtomic(path, content)
  } catch (cause) {
    throw cannotWriteError(path, cause)
  }
  return { owner, history, length: Buffer.byteLength(content), torn: 0 }
}

async function readFileIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (isMissingFile(cause)) return undefined
    const reason = getFailureReason(cause)
    throw new RelayError('configuration', `${path} cannot be read (${reason}).`, { cause })
  }
}

async function lockJournal(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (isRelayError(cause, 'directory_in_use')) {
      throw new RelayError('directory_in_use', `Another phone uses the journal ${directory}.`, {
        hint: 'Stop it, or choose another directory with --journal.',
        cause,
      })
    }
    if (!isRelayError(cause, 'configuration')) throw cause
    const reason =
      cause.cause === undefined ? 'its path is too long' : getFailureReason(cause.cause)
    throw new RelayError('configuration', `The journal ${directory} cannot be used (${reason}).`, {
      hint: 'Choose another directory with --journal, or run without one with --no-journal.',
      cause,
    })
  }
}
