import { RelayError } from '../../errors.js'
import { BatchedLog, type LogWriter } from './batched-log.js'
import { encodeChecksumLine } from './checksum-line.js'
import { getFailureReason } from './file-error.js'
import { readLogValues } from './log-reader.js'

export interface OwnedLogOptions {
  readonly path: string
  /** The `smsrelay` of the log's first line. */
  readonly kind: string
  /** Hash of the secret key of the account that the records of the log belong to. */
  readonly owner: string
  readonly content: string
  readonly warn: (sentence: string) => void
  readonly compactAfter: number
}

export interface LogState<R> {
  apply(record: R): void
  toRecords(): Iterable<R>
  readonly isEmpty: boolean
}

interface Header {
  readonly smsrelay: string
  readonly owner: string
}

/**
 * Opens a log whose first line names its owner, applies its records to a state, and rewrites it
 * without obsolete ones. A torn tail is dropped: its record was not acknowledged. A log of another
 * owner is replaced if it is empty. Throws `configuration` and `unavailable`.
 */
export async function openOwnedLog<R, S extends LogState<R>>(
  createState: () => S,
  options: OwnedLogOptions,
): Promise<LogWriter<R> & AsyncDisposable & { readonly records: S }> {
  const { path, kind, owner, warn, compactAfter } = options
  const records = await readState(createState, options)
  const log = new BatchedLog<R>({
    path,
    *encodeAll() {
      yield encodeChecksumLine({ smsrelay: kind, owner } satisfies Header)
      for (const record of records.toRecords()) yield encodeChecksumLine(record)
    },
    encode: encodeChecksumLine,
    warn,
    rewriteAfter: compactAfter,
  })
  await log.rewrite()
  return {
    records,
    append: async (record, durable) => await log.append(record, durable),
    appendWithRetry: async (record, durable) => await log.appendWithRetry(record, durable),
    [Symbol.asyncDispose]: async () => await log.close(),
  }
}

async function readState<R, S extends LogState<R>>(
  createState: () => S,
  { path, kind, owner, content }: OwnedLogOptions,
): Promise<S> {
  const values = await readValues(path)
  const state = createState()
  for (const value of values) if (isRecord(value)) state.apply(value as R)
  const header = values[0] as Partial<Header> | undefined
  if (header?.smsrelay !== kind || header.owner === owner) return state
  if (state.isEmpty) return createState()
  throw new RelayError(
    'configuration',
    `${path} holds ${content} of another account that its relay does not have yet.`,
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

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'do' in value
}
