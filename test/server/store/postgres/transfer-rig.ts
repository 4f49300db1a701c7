import { createEmptyCounts } from '../../../../src/domain/message/message-counts.js'

/** A line of an export. */
export interface Line {
  readonly kind: string
  readonly key: string
  readonly record: Record<string, unknown>
}

export async function* encode(all: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const each of all) yield Buffer.from(JSON.stringify(each))
}

export async function readAll(records: AsyncIterable<unknown>): Promise<Line[]> {
  const all: Line[] = []
  for await (const each of records) all.push(JSON.parse(JSON.stringify(each)))
  return all
}

/** The records of an export in the order of their keys; keys of events without their accounts. */
export function sortLines(all: readonly Line[]): Line[] {
  const plain = all
    .map(line => (line.kind === 'event' ? { ...line, key: String(line.record.seq) } : line))
    .map(line => (line.kind === 'tally' ? { ...line, record: fillCounts(line.record) } : line))
    .filter(({ key }) => key !== 'events')
  return plain.toSorted((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1))
}

const fillCounts = (counts: object) => ({ ...createEmptyCounts(), ...counts })
