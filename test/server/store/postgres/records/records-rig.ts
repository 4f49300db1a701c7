import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../../../src/server/store/postgres/connection/database.js'
import {
  LostConnection,
  type Statement,
} from '../../../../../src/server/store/postgres/connection/statement.js'
import {
  createRecordStores,
  type RecordStoresOptions,
} from '../../../../../src/server/store/postgres/record-stores.js'
import type { StoreChange } from '../../../../../src/server/store/store.js'
import { start } from '../../rig.js'
import { connectToDatabase } from '../test-postgres.js'

/** The record stores of one node; other nodes send it no hints. */
export function openRecords(url: string, options: Partial<RecordStoresOptions> = {}) {
  const changes: StoreChange[] = []
  const records = createRecordStores({
    database: connectToDatabase(url),
    node: { notify: change => void changes.push(change), watch: () => () => {} },
    newId: randomUUID,
    clock: { now: () => start, monotonic: () => performance.now() },
    ...options,
  })
  onTestFinished(async () => await records.close())
  return { ...records, changes }
}

/** A database of which the reply to one statement is lost after the statement was done. */
export function loseReply(database: Database, place: number) {
  const counter = { statements: 0 }
  const connect: Database['connect'] = (purpose, options) => {
    const connection = database.connect(purpose, options)
    const query = async <Row>(statement: Statement, values: readonly unknown[] = []) => {
      const rows = await connection.query<Row>(statement, values)
      counter.statements += 1
      if (counter.statements === place) throw new LostConnection(`${statement.name} was lost`)
      return rows
    }
    return { query, close: async () => await connection.close() }
  }
  const retry: Database['retry'] = async work => await database.retry(work)
  return { counter, connect, retry }
}
