// The contacts in PostgreSQL: a row for each number of an account.
//
// 1. A change reads the rows of at most 250 numbers, decides, and writes those whose version is
//    still the same. It reads and decides again on the others.
// 2. `sort_key` orders contacts and finds their words; `groups` has an index of its own.
import { buildContactKey, type Contact } from '../../../../domain/contact/contact.js'
import type { RecordChange } from '../../audit-store.js'
import type { ContactQuery, ContactStore, DecideContact } from '../../contact-store.js'
import { type RecordContext, runChange, runStatement } from '../records/record-context.js'
import {
  countContacts,
  countMembers,
  findContacts,
  readContacts,
  searchContacts,
  searchMembers,
  writeContacts,
} from './contact-statements.js'

const maxContactsPerStatement = 250

interface ContactRow {
  readonly number: string
  readonly version: number
  readonly doc: Contact
}

interface ContactDecision {
  readonly number: string
  /** The row that was read; undefined if there was none. */
  readonly row: ContactRow | undefined
  readonly contact: Contact | null
}

function toChange({ row, contact }: ContactDecision): RecordChange<'contact'> {
  return { kind: 'contact', before: row?.doc, after: contact ?? undefined }
}

export class PostgresContacts implements ContactStore {
  readonly #context: RecordContext

  constructor(context: RecordContext) {
    this.#context = context
  }

  async find(account: string, numbers: readonly string[]): Promise<Contact[]> {
    if (numbers.length === 0) return []
    const rows = await this.#read(account, numbers)
    return numbers.map(number => rows.get(number)?.doc).filter(found => found !== undefined)
  }

  async getPage(account: string, query: ContactQuery): Promise<Contact[]> {
    const { count, after = '', words = '', group } = query
    const values = [account, after, count]
    const rows =
      group !== undefined
        ? await this.#run<ContactRow>(searchMembers, [...values, words, group])
        : words === ''
          ? await this.#run<ContactRow>(readContacts, values)
          : await this.#run<ContactRow>(searchContacts, [...values, words])
    return rows.map(({ doc }) => doc)
  }

  async count(account: string): Promise<number> {
    const [row] = await this.#run<{ count: number }>(countContacts, [account])
    return row?.count ?? 0
  }

  async countMembers(account: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#run<{ id: string; count: number }>(countMembers, [account])
    return new Map(rows.map(({ id, count }) => [id, count]))
  }

  async changeAll(
    account: string,
    numbers: readonly string[],
    decide: DecideContact,
  ): Promise<void> {
    for (let start = 0; start < numbers.length; start += maxContactsPerStatement) {
      let left = numbers.slice(start, start + maxContactsPerStatement)
      while (left.length > 0) left = await this.#changeBatch(account, left, decide)
    }
  }

  /** Resolves to the numbers whose contacts changed between the decision and the write. */
  async #changeBatch(
    account: string,
    numbers: readonly string[],
    decide: DecideContact,
  ): Promise<string[]> {
    const rows = await this.#read(account, numbers)
    const decisions: ContactDecision[] = []
    for (const number of numbers) {
      const row = rows.get(number)
      const contact = decide(number, row?.doc)
      if (contact === undefined || contact === row?.doc) continue
      if (contact !== null || row !== undefined) decisions.push({ number, row, contact })
    }
    if (decisions.length === 0) return []
    const written = await this.#write(account, decisions)
    return decisions.map(({ number }) => number).filter(number => !written.has(number))
  }

  async #write(account: string, decisions: readonly ContactDecision[]): Promise<Set<string>> {
    const values = [
      account,
      this.#context.createOperation(),
      decisions.map(({ number }) => number),
      decisions.map(({ row }) => row?.version ?? null),
      decisions.map(({ contact }) => (contact === null ? null : buildContactKey(contact))),
      decisions.map(({ contact }) => (contact === null ? null : JSON.stringify(contact))),
    ]
    const changes = decisions.map(toChange)
    const { rows } = await runChange<ContactRow>(this.#context, writeContacts, values, changes)
    const written = new Set(rows.map(({ number }) => number))
    this.#context.audit?.confirm(changes.filter((_, at) => written.has(values[2]?.[at] as string)))
    return written
  }

  async #read(account: string, numbers: readonly string[]): Promise<Map<string, ContactRow>> {
    const rows = await this.#run<ContactRow>(findContacts, [account, numbers])
    return new Map(rows.map(row => [row.number, row]))
  }

  async #run<Row>(
    statement: Parameters<typeof runStatement>[1],
    values: readonly unknown[],
  ): Promise<Row[]> {
    return await runStatement<Row>(this.#context, statement, values)
  }
}
