// The tables in the database, and their changes from version to version of the program.
// - step-NNN: the SQL of each version; migration-step: what a step is
// - inspect-schema: what the database has, and whether this program can use it
// - migrate: brings the schema to the newest version
// - build-indexes: indexes of tables that are in use
// - migration-progress: how far the server is with an index of a step
//
// 1. New indexes are built first, without a lock that others who write wait for.
// 2. All else of the steps that are missing runs in one transaction, so a failed migration leaves
//    nothing but indexes.
// 3. Nodes that start together take turns by the lock of the row of `schema_version`; a session
//    lock would not work behind a pooler. In an empty database the creation of that table is the
//    lock: the transactions of the others fail, and are repeated.
// 4. Steps only add, so programs of the version before continue to work meanwhile.

import { type ClientConfig, DatabaseError } from 'pg'
import { RelayError } from '../../../../errors.js'
import { getBackoff } from '../../../../util/async/backoff.js'
import type { Clock } from '../../../../util/async/clock.js'
import { type OpenClient, openClient } from '../connection/open-client.js'
import { buildIndexes, formatIndexes } from './build-indexes.js'
import {
  assertRights,
  assertSchemaIsKnown,
  assertTables,
  inspectSchema,
  type SchemaState,
} from './inspect-schema.js'
import { type IndexProgress, type OnMigrationProgress, watchIndexes } from './migration-progress.js'
import type { MigrationStep } from './migration-step.js'
import { step001 } from './step-001.js'
import { step002 } from './step-002.js'
import { step003 } from './step-003.js'

/** The steps of this program, in order, from version 1 without gaps. */
const migrationSteps: readonly MigrationStep[] = [step001, step002, step003]

/** The schema version that this program brings. */
export const newestVersion = getNewestVersion(migrationSteps)

export interface PrepareOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Whether to bring the schema to the newest version. @default true */
  readonly migrate?: boolean | undefined
  /** @default the steps of this program */
  readonly steps?: readonly MigrationStep[]
  /** Called when a step starts, and while the server builds an index for it. */
  readonly onProgress?: OnMigrationProgress | undefined
}

type RunStep = (step: MigrationStep, run: () => Promise<unknown>) => Promise<unknown>

/** Milliseconds for which a migration waits for others, which lock the tables. */
const patience = 60_000
const delays = { first: 50, max: 1000 }

const createVersionText = `
create table schema_version (
  program text primary key,
  version int not null,
  oldest_program int not null
);
insert into schema_version values ('smsrelay', 0, 0)`

/**
 * Prepares the schema for this program; returns the version that it had before. Throws `usage` if
 * this program cannot use the database, and `unavailable`.
 */
export async function prepareSchema(
  config: ClientConfig,
  { migrate = true, ...options }: PrepareOptions,
): Promise<number> {
  const open = await openClient({ ...config, application_name: 'smsrelay start' })
  try {
    const before = migrate
      ? await migrateSchema(open, config, options)
      : await assertMigrated(open, options.steps)
    await assertRights(open)
    return before
  } finally {
    await open.client.end()
  }
}

async function assertMigrated(open: OpenClient, steps = migrationSteps): Promise<number> {
  const found = await inspectComplete(open, steps)
  const newest = getNewestVersion(steps)
  if (found.version >= newest) return found.version
  throw new RelayError(
    'usage',
    `The database has schema version ${found.version}; this program needs ${newest}.`,
    { hint: 'Run `smsrelay database migrate`, or start without --no-migrate.' },
  )
}

async function migrateSchema(
  open: OpenClient,
  config: ClientConfig,
  { clock, random, steps = migrationSteps, onProgress }: PrepareOptions,
): Promise<number> {
  const runStep: RunStep = async ({ version, summary }, run) => {
    if (onProgress === undefined) return await run()
    onProgress({ version, summary })
    const onIndex = (index: IndexProgress) => onProgress({ version, summary, index })
    return await watchIndexes(open, { config, clock, onIndex }, run)
  }
  const find = async () => await findMissingSteps(open, steps)
  for (const step of await repeatRaces(open, { clock, random }, find)) {
    const build = async () => await buildIndexes(open, step.indexes ?? [], clock)
    await repeatRaces(open, { clock, random }, async () => await runStep(step, build))
  }
  const migrate = async () => await migrateOnce(open, steps, runStep)
  return await repeatRaces(open, { clock, random }, migrate)
}

async function repeatRaces<T>(
  open: OpenClient,
  { clock, random }: Pick<PrepareOptions, 'clock' | 'random'>,
  work: () => Promise<T>,
): Promise<T> {
  const end = clock.monotonic() + patience
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError || error instanceof RelayError)) throw error
      await open.client.query('rollback')
      if (!isRace(error)) throw toMigrationError(error)
      if (clock.monotonic() >= end) throw busyError(error)
    }
    await clock.sleep(getBackoff(failures, random(), delays))
  }
}

/** Finds the steps whose indexes are built first; others may migrate the database meanwhile. */
async function findMissingSteps(
  open: OpenClient,
  steps: readonly MigrationStep[],
): Promise<readonly MigrationStep[]> {
  const found = await inspectComplete(open, steps)
  if (found.isEmpty) return []
  return steps.filter(({ version, indexes = [] }) => version > found.version && indexes.length > 0)
}

async function migrateOnce(
  open: OpenClient,
  steps: readonly MigrationStep[],
  runStep: RunStep,
): Promise<number> {
  const { client } = open
  const newest = getNewestVersion(steps)
  // Read without a lock first: most starts find nothing to do.
  const found = await inspectSchema(open)
  assertSchemaIsKnown(found, newest)
  if (found.version >= newest) return found.version
  await client.query('begin')
  // A statement that waits for a table blocks all later ones, so it gives up soon and is repeated.
  await client.query("set local lock_timeout = '2s'")
  if (found.isEmpty) await client.query(createVersionText)
  const state = await lockVersion(open)
  assertSchemaIsKnown(state, newest)
  const missing = steps.filter(step => step.version > state.version)
  for (const step of missing) {
    const text = `${formatIndexes(step.indexes ?? [])}${step.text}`
    await runStep(step, async () => await client.query(text))
  }
  const oldest = Math.max(state.oldestProgram, ...missing.map(step => step.oldestProgram))
  await client.query(
    "update schema_version set version = $1, oldest_program = $2 where program = 'smsrelay'",
    [Math.max(state.version, newest), oldest],
  )
  await client.query('commit')
  return state.version
}

/** Reads the state of a schema that this program knows, with all tables of its version. */
async function inspectComplete(
  open: OpenClient,
  steps: readonly MigrationStep[],
): Promise<SchemaState> {
  const found = await inspectSchema(open)
  const newest = getNewestVersion(steps)
  assertSchemaIsKnown(found, newest)
  // A later version may have removed tables that this program does not use.
  if (found.version <= newest) await assertTables(open, found, listTables(steps, found.version))
  return found
}

/** Lists the tables that the schema of a version has. */
function listTables(steps: readonly MigrationStep[], version: number): readonly string[] {
  const tables = new Set<string>()
  for (const { text } of steps.filter(step => step.version <= version)) {
    for (const [, verb, name = ''] of text.matchAll(/^(create|drop)(?: unlogged)? table (\w+)/gm)) {
      if (verb === 'create') tables.add(name)
      else tables.delete(name)
    }
  }
  return [...tables]
}

function getNewestVersion(steps: readonly MigrationStep[]): number {
  return steps.at(-1)?.version ?? 0
}

async function lockVersion(open: OpenClient): Promise<SchemaState> {
  await open.client.query("select from schema_version where program = 'smsrelay' for update")
  return await inspectSchema(open)
}

/**
 * Whether another node did the same at the same time: it created the same table (23505, 42P07, or
 * 42710 for its type) or changed the row (40001, 40P01), or a lock is taken (55P03).
 */
function isRace(error: unknown): boolean {
  const codes = /^(?:23505|42P07|42710|40001|40P01|55P03)$/
  return error instanceof DatabaseError && codes.test(error.code ?? '')
}

function toMigrationError(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== '42501') return error
  return new RelayError('usage', 'The role may not create tables in the database.', {
    hint: 'Grant it CREATE on the schema, or run `smsrelay database migrate` as another role.',
    cause: error,
  })
}

function busyError(cause: unknown): RelayError {
  return new RelayError('unavailable', 'Others keep tables of the database locked.', {
    hint: 'End their long transactions and try again.',
    cause,
  })
}
