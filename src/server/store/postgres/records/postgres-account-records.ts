import type { AccountRecord } from '../../../../domain/account/account-record.js'
import type { Mailbox } from '../../../../domain/account/mailbox.js'
import { normalizeName } from '../../../../domain/contact/contact.js'
import {
  type AccountRecordStore,
  aliasTakenError,
  type MailboxStore,
  nameTakenError,
} from '../../account-store.js'
import type { RecordContext } from './record-context.js'
import { RecordTable, type RecordTableOptions } from './record-table.js'

/** Records in PostgreSQL that an account has few of, in a table of their own. */
export class PostgresAccountRecords<T extends AccountRecord> implements AccountRecordStore<T> {
  protected readonly table: RecordTable<T>

  constructor(context: RecordContext, { columns, ...options }: RecordTableOptions<T>) {
    const account = { name: 'account', get: (record: T) => record.account }
    this.table = new RecordTable(context, { ...options, columns: [account, ...columns] })
  }

  async get(id: string): Promise<T | undefined> {
    return await this.table.get(id)
  }

  async list(account?: string): Promise<T[]> {
    if (account === undefined) return await this.table.list()
    return await this.table.list('account = $1', [account])
  }

  async change(id: string, decide: (current: T | undefined) => T | null): Promise<T | undefined> {
    return await this.table.change(id, decide)
  }
}

/** Records whose names are unique in their account. */
export class PostgresNamedRecords<
  T extends AccountRecord & { readonly name: string },
> extends PostgresAccountRecords<T> {
  constructor(context: RecordContext, name: string) {
    super(context, {
      name,
      columns: [{ name: 'name_key', get: record => normalizeName(record.name) }],
      createTakenError: record => nameTakenError(record.name),
    })
  }
}

export class PostgresMailboxes extends PostgresAccountRecords<Mailbox> implements MailboxStore {
  constructor(context: RecordContext) {
    super(context, {
      name: 'mailbox',
      columns: [
        { name: 'alias', get: ({ alias }) => alias },
        { name: 'hash', get: ({ hash }) => hash },
      ],
      createTakenError: ({ alias = '' }) => aliasTakenError(alias),
    })
  }

  async findByAlias(alias: string): Promise<Mailbox | undefined> {
    return (await this.table.list('alias = $1', [alias]))[0]
  }

  async findByHash(hash: string): Promise<Mailbox | undefined> {
    return (await this.table.list('hash = $1', [hash]))[0]
  }
}
