import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LocationFlags, readLocation } from '../../../src/cli/config/location-flags.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { createSink } from '../streams.js'

const url = 'postgres://a@db/relay'

/** Adds the environment to the flags as oclif does. */
async function read(given: LocationFlags, env: Record<string, string> = {}) {
  const err = createSink()
  const { SMSRELAY_DATA_DIR: data, SMSRELAY_DATABASE_URL: database } = env
  const flags = { data: given.data ?? data, database: given.database ?? database }
  const location = await readLocation(flags, {
    env: { HOME: '/home/ann', SMSRELAY_CONFIG_DIR: '/c', ...env },
    stderr: err.stream,
  })
  return { ...location, note: err.text() }
}

const toDatabase = (found: string) => ({ database: expect.objectContaining({ url: found }) })

test.each<[string, LocationFlags, Record<string, string>, object]>([
  ['a data flag', { data: 'd' }, {}, { dataDir: 'd' }],
  ['a database flag', { database: url }, {}, toDatabase(url)],
  ['the state directory of a systemd unit', {}, { STATE_DIRECTORY: '/s:/t' }, { dataDir: '/s' }],
  ['the environment', {}, { SMSRELAY_DATABASE_URL: url }, toDatabase(url)],
  [
    'a database in the environment before a directory there',
    {},
    { SMSRELAY_DATA_DIR: 'd', SMSRELAY_DATABASE_URL: url },
    toDatabase(url),
  ],
  [
    'a data flag before the environment',
    { data: 'd' },
    { SMSRELAY_DATABASE_URL: url },
    { dataDir: 'd' },
  ],
  [
    'a database flag before the environment',
    { database: url },
    { SMSRELAY_DATA_DIR: 'd', SMSRELAY_DATABASE_URL: 'postgres://other' },
    toDatabase(url),
  ],
])('the location comes from %s', async (_, flags, env, expected) => {
  expect(await read(flags, env)).toMatchObject(expected)
})

test('the URL can be in a file', async () => {
  const path = join(await temporaryFolder(), 'url')
  await writeFile(path, `${url}\n`)
  const env = { SMSRELAY_DATABASE_URL_FILE: path }
  expect(await read({}, env)).toMatchObject(toDatabase(url))
  expect(await read({ data: 'd' }, env)).toMatchObject({ dataDir: 'd' })
  await expect(read({}, { SMSRELAY_DATABASE_URL_FILE: `${path}s` })).rejects.toMatchObject({
    code: 'usage',
  })
})

test('a directory and a database contradict each other', async () => {
  await expect(read({ data: 'd', database: url })).rejects.toMatchObject({ code: 'usage' })
})

test('the password comes from PGPASSWORD, or from a file at its usual place', async () => {
  const password = { database: { password: 'p', passwordFile: '/home/ann/.pgpass' } }
  expect(await read({ database: url }, { PGPASSWORD: 'p' })).toMatchObject(password)
  const file = { database: { passwordFile: '/etc/pass' } }
  expect(await read({ database: url }, { PGPASSFILE: '/etc/pass' })).toMatchObject(file)
})

test('a password in a flag is noted, and in the environment it is not', async () => {
  const secret = 'postgresql://a:s%40cret@db/relay'
  const { note } = await read({ database: secret })
  expect(note).toContain('SMSRELAY_DATABASE_URL')
  expect(note).not.toContain('s%40cret')
  expect(await read({}, { SMSRELAY_DATABASE_URL: secret })).toMatchObject({ note: '' })
  expect(await read({ database: url })).toMatchObject({ note: '' })
})
