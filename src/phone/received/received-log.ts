import { RelayError } from '../../errors.js'
import { BatchedLog } from '../../util/files/batched-log.js'
import { encodeChecksumLine } from '../../util/files/checksum-line.js'
import { getFailureReason } from '../../util/files/file-error.js'
import { readLogValues } from '../../util/files/log-reader.js'
import type { ReceivedStore } from './received-inbox.js'
import { type ReceivedRecord, ReceivedRecords } from './received-records.js'

interface ReceivedLogOptions {
  /** Hash of the secret key of the account that the received texts belong to. */
  readonly owner: string
  /** Called with one sentence if the log of received texts cannot be written. */
  readonly warn: (sentence: string) => void
  /** Bytes of growth. */
  readonly compactAfter: number
}

interface Header {
  readonly smsrelay: 'received'
  readonly owner: string
}

/**
 * Opens the log of received texts that the relay does not have yet, and rewrites it without
 * obsolete records. A torn tail is dropped: its text was not acknowledged to the network. Throws
 * `configuration` and `unavailable`.
 */
export async function openReceivedLog(
  path: string,
  { owner, warn, compactAfter }: ReceivedLogOptions,
): Promise<ReceivedStore & AsyncDisposable> {
  const records = await readRecords(path, owner)
  const encodeAll = () => {
    const header: Header = { smsrelay: 'received', owner }
    return [header, ...records.toRecords()].map(encodeChecksumLine).join('')
  }
  const log = new BatchedLog<ReceivedRecord>({
    path,
    encodeAll,
    encode: encodeChecksumLine,
    warn,
    rewriteAfter: compactAfter,
  })
  await log.rewrite()
  return {
    records,
    append: async record => await log.append(record),
    appendWithRetry: async (record, durable) => await log.appendWithRetry(record, durable),
    [Symbol.asyncDispose]: async () => await log.close(),
  }
}

async function readRecords(path: string, owner: string): Promise<ReceivedRecords> {
  const values = await readValues(path)
  const records = new ReceivedRecords()
  for (const value of values) if (isRecord(value)) records.apply(value)
  const header = values[0] as Partial<Header> | undefined
  if (header?.smsrelay !== 'received' || header.owner === owner) return records
  if ([...records.parts()].length === 0) return new ReceivedRecords()
  throw new RelayError(
    'configuration',
    `${path} holds texts of another account that its relay does not have yet.`,
    { hint: 'Choose another directory with --journal, or move that file away.' },
  )
}

async function readValues(path: string): Promise<unknown[]> {
  try {
    return await readLogValues(path)
  } catch (cause) {
    const reason = getFailureReason(cause)
    throw new RelayError('configuration', `${path} cannot be read (${reason}).`, { cause })
  }
}

function isRecord(value: unknown): value is ReceivedRecord {
  return typeof value === 'object' && value !== null && 'do' in value
}
