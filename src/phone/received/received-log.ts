import { readFile } from 'node:fs/promises'
import { RelayError } from '../../errors.js'
import { cannotWrite, JournalLog, reason } from '../../util/files/append-log.js'
import { replaceFile } from '../../util/files/atomic-write.js'
import { decodeCheckedLine, encodeCheckedLine } from '../../util/files/checksum-line.js'
import type { ReceivedStore } from './received-inbox.js'
import { ReceivedBook, type ReceivedNote } from './received-records.js'

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
    return encodeCheckedLine(header) + [...book.notes()].map(encodeCheckedLine).join('')
  }
  const content = whole()
  try {
    await replaceFile(path, content)
  } catch (cause) {
    throw cannotWrite(path, cause)
  }
  const line = (note: ReceivedNote) => encodeCheckedLine(note)
  const log = new JournalLog({ path, whole, line, warn, compactAfter }, Buffer.byteLength(content))
  return {
    book,
    must: async note => await log.must(note),
    note: async (note, durable) => await log.note(note, durable),
    async [Symbol.asyncDispose]() {
      await log.close()
    },
  }
}

async function load(path: string, owner: string): Promise<ReceivedBook> {
  const book = new ReceivedBook()
  const [header, ...notes] = lines(await read(path)).map(decodeCheckedLine)
  for (const note of notes) if (isNote(note)) book.apply(note)
  if (header === undefined || (header as Header).owner === owner) return book
  if ([...book.pieces()].length === 0) return new ReceivedBook()
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
    throw new RelayError('configuration', `${path} cannot be read (${reason(cause)}).`, { cause })
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

function isNote(value: unknown): value is ReceivedNote {
  return typeof value === 'object' && value !== null && 'do' in value
}
