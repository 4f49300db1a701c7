import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  backupDatabase,
  exportDatabaseRecords,
  importIntoDatabase,
} from '../../../../src/server/data-database.js'
import {
  backupDirectory,
  exportDirectory,
  importDirectory,
} from '../../../../src/server/data-directory.js'
import { recordSchemas } from '../../../../src/server/store/lowdb/import/record-schemas.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { fullRecords } from './full-records.js'
import { openTestDatabase } from './test-postgres.js'
import { encode, type Line, readAll, sortLines } from './transfer-rig.js'

/** The parts of a schema that can contain others. */
interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly innerType?: z.core.$ZodType
  readonly element?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
}

/** The paths of all fields that a schema has. */
function* listSchemaFields(schema: z.core.$ZodType, path: string): Generator<string> {
  const { shape = {}, innerType, element, options = [] } = schema._zod.def as SchemaParts
  for (const [name, field] of Object.entries(shape)) {
    yield `${path}.${name}`
    yield* listSchemaFields(field, `${path}.${name}`)
  }
  for (const inner of [innerType, element, ...options]) {
    if (inner !== undefined) yield* listSchemaFields(inner, path)
  }
}

function* listFields(value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    const inner = Array.isArray(value) ? path : `${path}.${name}`
    yield inner
    yield* listFields(field, inner)
  }
}

async function* readLines(file: string): AsyncGenerator<Uint8Array> {
  for await (const line of createInterface(createReadStream(file))) yield Buffer.from(line)
}

async function importIntoNewDirectory(lines: AsyncIterable<Uint8Array>): Promise<string> {
  const directory = `${await temporaryFolder()}/data`
  await importDirectory(directory, lines)
  return directory
}

async function importIntoNewDatabase(lines: AsyncIterable<Uint8Array>): Promise<string> {
  const url = await openTestDatabase()
  await importIntoDatabase({ url }, lines)
  return url
}

const readDirectory = async (directory: string) => await readAll(exportDirectory(directory))
const readDatabase = async (url: string) => await readAll(exportDatabaseRecords({ url }))

test('the records of these tests have every field of every kind', () => {
  const schemas = Object.entries(recordSchemas)
  const known = schemas.flatMap(([kind, schema]) => [...listSchemaFields(schema, kind)])
  const found = new Set(fullRecords.flatMap(({ kind, record }) => [...listFields(record, kind)]))
  // The first result of an idempotency key is the message as it was created.
  const isLater = (path: string) => path.startsWith('once.message.')
  expect(known.filter(path => !found.has(path) && !isLater(path))).toEqual([])
})

test('every field of every record moves between the stores, in both directions', async () => {
  const expected = sortLines(fullRecords)
  const first = await readDirectory(await importIntoNewDirectory(encode(fullRecords)))
  expect(sortLines(first)).toEqual(expected)
  const moved = await readDatabase(await importIntoNewDatabase(encode(first)))
  expect(sortLines(moved)).toEqual(expected)
  const back = await readDirectory(await importIntoNewDirectory(encode(moved)))
  expect(sortLines(back)).toEqual(expected)
  const again = await readDatabase(await importIntoNewDatabase(encode(back)))
  expect(again.map(toText)).toEqual(moved.map(toText))
})

const toText = (line: Line) => JSON.stringify(line)

test('a backup of each store has every field of every record', async () => {
  const expected = sortLines(fullRecords)
  const folder = await temporaryFolder()
  const directory = await importIntoNewDirectory(encode(fullRecords))
  const copy = await backupDirectory(directory, `${folder}/copy`)
  expect(sortLines(await readDirectory(copy))).toEqual(expected)
  const url = await importIntoNewDatabase(encode(fullRecords))
  const file = await backupDatabase({ url }, `${folder}/backup.ndjson`)
  const restored = await readDatabase(await importIntoNewDatabase(readLines(file)))
  expect(sortLines(restored)).toEqual(expected)
  const inDirectory = await readDirectory(await importIntoNewDirectory(readLines(file)))
  expect(sortLines(inDirectory)).toEqual(expected)
})
