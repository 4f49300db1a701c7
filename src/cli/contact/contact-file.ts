import type { ContactClient } from '../../client/contact-client.js'
import { createContactCsvReader } from '../../contract/contact/contact-csv.js'
import type { ContactCreate } from '../../contract/contact/contact-schema.js'
import { limits } from '../../domain/limits.js'
import { readCsv } from '../../util/text/csv.js'

export interface ContactImportResult {
  readonly imported: boolean
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly invalid: readonly { readonly line: number; readonly problem: string }[]
}

export interface ContactImportRequest {
  readonly contacts: Pick<ContactClient, 'import'>
  readonly open: () => AsyncIterable<Uint8Array>
  readonly encoding: string | undefined
  readonly dryRun: boolean
  readonly skipInvalid: boolean
  readonly signal: AbortSignal
}

/** Bytes of one request that the import of contacts sends; the relay accepts 256 KB. */
const batchBytes = 128 * 1024

export async function importContactFile(
  request: ContactImportRequest,
): Promise<ContactImportResult> {
  const { dryRun, skipInvalid } = request
  const checked = await sendRows(request, true)
  if (dryRun || (checked.invalid.length > 0 && !skipInvalid)) return { imported: false, ...checked }
  return { imported: true, ...(await sendRows(request, false)) }
}

async function sendRows(
  request: ContactImportRequest,
  dryRun: boolean,
): Promise<Omit<ContactImportResult, 'imported'>> {
  const counts = { added: 0, changed: 0, unchanged: 0 }
  const invalid: { line: number; problem: string }[] = []
  for await (const { lines, contacts } of createBatches(request)) {
    const options = { dryRun, skipInvalid: true, signal: request.signal }
    const reply = await request.contacts.import(contacts, options)
    counts.added += reply.added
    counts.changed += reply.changed
    counts.unchanged += reply.unchanged
    for (const { index, problem } of reply.invalid)
      invalid.push({ line: lines[index] ?? 0, problem })
  }
  return { ...counts, invalid }
}

interface Batch {
  readonly lines: number[]
  readonly contacts: ContactCreate[]
}

async function* createBatches({ open, encoding }: ContactImportRequest): AsyncGenerator<Batch> {
  const read = createContactCsvReader()
  let batch: Batch = { lines: [], contacts: [] }
  let bytes = 0
  for await (const { line, cells } of readCsv(open(), { encoding })) {
    const contact = read(cells)
    if (contact === undefined) continue
    const size = Buffer.byteLength(JSON.stringify(contact)) + 1
    if (batch.contacts.length === limits.contactBatch || bytes + size > batchBytes) {
      yield batch
      batch = { lines: [], contacts: [] }
      bytes = 0
    }
    batch.lines.push(line)
    batch.contacts.push(contact)
    bytes += size
  }
  if (batch.contacts.length > 0) yield batch
}
