import { readFile } from 'node:fs/promises'
import { RelayError } from '../../errors.js'
import { cannotWriteError, JournalLog, toErrorReason } from '../../util/files/append-log.js'
import { writeFileAtomic } from '../../util/files/atomic-write.js'
import { decodeChecksumLine, encodeChecksumLine } from '../../util/files/checksum-line.js'
import type { ReceivedStore } from './received-inbox.js'
import { type ReceivedRecord, ReceivedRecords } from './received-records.js'

/** What {@link openReceivedLog} works with. */
export interface ReceivedLogOptions {
  /** Whose texts they are. */
  readonly owner: string
  /** Told in one sentence of things worth knowing. */
  readonly warn: (sentence: string) => void
  /** Bytes the file grows by before it is written anew. */
  readonly compactAfter: number
}

/** A {@link ReceivedStore} on disk. */
export interface ReceivedLog extends ReceivedStore, AsyncDisposable {}

interface Header {
  readonly smsrelay: 'received'
  readonly owner: string
}

/**
 * Opens the file of texts that came in and are not with the relay yet. What was being written in a crash is left out:
 * nobody had been told that it is kept. Throws `configuration`.
 */
export async function openReceivedLog(
  path: string,
  { owner, warn, compactAfter }: ReceivedLogOptions,
): Promise<ReceivedLog> {
  const book = await load(path, owner)
  const whole = () => {
    const header: Header = { smsrelay: 'received', owner }
    return encodeChecksumLine(header) + [...book.toRecords()].map(encodeChecksumLine).join('')
  }
  const content = whole()
  try {
    await writeFileAtomic(path, content)
  } catch (cause) {
    throw cannotWriteError(path, cause)
  }
  const line = (note: ReceivedRecord) => encodeChecksumLine(note)
  const log = new JournalLog({ path, whole, line, warn, compactAfter }, Buffer.byteLength(content))
  return {
    records: book,
    append: async note => await log.append(note),
    appendWithRetry: async (note, durable) => await log.appendWithRetry(note, durable),
    async [Symbol.asyncDispose]() {
      await log.close()
    },
  }
}

async function load(path: string, owner: string): Promise<ReceivedRecords> {
  const book = new ReceivedRecords()
  const [header, ...notes] = lines(await read(path)).map(decodeChecksumLine)
  for (const note of notes) if (isNote(note)) book.apply(note)
  if (header === undefined || (header as Header).owner === owner) return book
  if ([...book.parts()].length === 0) return new ReceivedRecords()
  throw new RelayError(
    'configuration',
    `${path} holds texts for another account that its relay does not have yet.`,
    { hint: 'Choose another directory with --journal, or move that file away.' },
  )
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw new RelayError('configuration', `${path} cannot be read (${toErrorReason(cause)}).`, {
      cause,
    })
  }
}

/** Whole lines, without their line feeds. */
function lines(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  let from = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
    found.push(bytes.subarray(from, end))
    from = end + 1
  }
  return found
}

function isNote(value: unknown): value is ReceivedRecord {
  return typeof value === 'object' && value !== null && 'do' in value
}
