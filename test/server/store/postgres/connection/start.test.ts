import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../../../../src/server/store/postgres/postgres-store.js'
import { createClock } from '../../../../../src/util/async/clock.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accountWith } from '../../rig.js'
import { openTestDatabase, runSql } from '../test-postgres.js'

async function open(access: Parameters<typeof openPostgresStore>[0], migrate?: boolean) {
  const options = { clock: createClock(), random: Math.random, migrate }
  const store = await openPostgresStore(access, options)
  onTestFinished(async () => await store.close())
  return store
}

/** A database and the URL of a role that has a password and owns it. */
async function createOwner(): Promise<{ url: URL; admin: string }> {
  const admin = await openTestDatabase()
  const url = new URL(admin)
  const database = url.pathname.slice(1)
  url.username = `owner_${database.slice(5, 20)}`
  await runSql(admin, `create role ${url.username} login password 'sec:ret'`)
  await runSql(admin, `alter database ${database} owner to ${url.username}`)
  onTestFinished(async () => {
    await runSql(admin, `reassign owned by ${url.username} to smsrelay`)
    await runSql(admin, `drop owned by ${url.username}`)
    await runSql(admin, `drop role ${url.username}`)
  })
  return { url, admin }
}

async function writeFileWith(text: string, mode = 0o600): Promise<string> {
  const path = join(await temporaryFolder(), 'file')
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}

test('the password comes from the URL, a setting or a password file', async () => {
  const { url } = await createOwner()
  const { hostname, port, pathname, username } = url
  const line = `${hostname}:${port}:${pathname.slice(1)}:${username}:sec:ret`
  const passwordFile = await writeFileWith(`# comment\nother:*:*:*:wrong\n${line}\n*:*:*:*:no\n`)
  await open({ url: url.href, passwordFile })
  await open({ url: url.href, password: 'sec:ret' })
  url.password = 'sec:ret'
  await open({ url: url.href, password: 'wrong' })
})

test('the clock is that of the server', async () => {
  const url = await openTestDatabase()
  const clock = { ...createClock(), now: () => 0 }
  const store = await openPostgresStore({ url }, { clock, random: Math.random })
  onTestFinished(async () => await store.close())
  const [row] = await runSql<{ now: number }>(
    url,
    'select extract(epoch from clock_timestamp())::int as now',
  )
  expect(Math.abs(store.clock.now() / 1000 - (row?.now ?? 0))).toBeLessThan(60)
})

test('settings that an operator must change end the start with one sentence', async () => {
  const { url } = await createOwner()
  const withChanges = (changes: Partial<URL>) => Object.assign(new URL(url), changes).href
  const { port } = url
  const name = `${url.pathname.slice(1)} on 127.0.0.1:${port}`
  const passwords = await writeFileWith('sec:ret')
  const cases: [string, string][] = [
    ['mysql://root:sec%3Aret@localhost/x', 'The database URL is malformed.'],
    ['postgres://a:sec%3Aret@[', 'The database URL is malformed.'],
    [`${url.href}?colour=sec:ret`, 'The database URL has the unknown parameter "colour".'],
    [`${url.href}?sslmode=prefer`, 'The parameter sslmode of the database URL is unknown.'],
    [
      `${url.href}?sslmode=verify-full&sslrootcert=/missing`,
      'The file /missing of the database URL cannot be read.',
    ],
    [
      `${url.href}?sslmode=verify-full&sslrootcert=${passwords}`,
      `The file ${passwords} contains no certificate.`,
    ],
    [
      `${url.href}?sslmode=verify-full&sslcert=${passwords}`,
      'The database URL needs both sslcert and sslkey, or neither.',
    ],
    [
      `${url.href}?sslmode=verify-full&sslcert=${passwords}&sslkey=${passwords}`,
      `${passwords} and ${passwords} are not a certificate and its key, in PEM.`,
    ],
    [`${url.href}?sslmode=verify-full`, `The database ${name} offers no encryption.`],
    [url.href, `The database ${name} needs a password for the role ${url.username}.`],
    [withChanges({ password: 'sec%3Are' }), `The database ${name} refuses the password.`],
    [
      withChanges({ password: 'sec%3Aret', pathname: '/missing' }),
      `The database missing on 127.0.0.1:${port} does not exist.`,
    ],
  ]
  for (const [given, message] of cases) {
    const error = await open({ url: given }).catch(each => each)
    expect(error).toMatchObject({ code: 'usage', message, hint: expect.stringMatching(/./) })
    const { details } = error
    expect(JSON.stringify({ message, details }) + error.stack).not.toMatch(/sec(:|%3A)re/)
  }
})

test('a password file that others can read is refused', async () => {
  const { url } = await createOwner()
  const passwordFile = await writeFileWith('*:*:*:*:sec\\:ret\n', 0o644)
  await expect(open({ url: url.href, passwordFile })).rejects.toMatchObject({
    code: 'usage',
    hint: `Run \`chmod 600 ${passwordFile}\`.`,
  })
  await chmod(passwordFile, 0o600)
  await open({ url: url.href, passwordFile })
})

test('a server that cannot be reached is not an error of the settings', async () => {
  await expect(open({ url: 'postgres://a@127.0.0.1:1/b' })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database b on 127.0.0.1:1 cannot be reached.',
  })
})

test('a read-only database is not an error of the settings', async () => {
  const url = await openTestDatabase()
  const database = new URL(url).pathname.slice(1)
  await runSql(url, `alter database ${database} set default_transaction_read_only = on`)
  await expect(open({ url })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is read-only.',
  })
})

test('without migration, an empty schema is refused and not changed', async () => {
  const url = await openTestDatabase()
  await expect(open({ url }, false)).rejects.toMatchObject({
    code: 'usage',
    message: 'The database has schema version 0; this program needs 1.',
  })
  await open({ url })
  await open({ url }, false)
})

test('two relays use two schemas of one database', async () => {
  const url = await openTestDatabase()
  await runSql(url, 'create schema first; create schema second; create table orders (id int)')
  const stores = []
  for (const name of ['first', 'second']) {
    stores.push(await open({ url: `${url}?options=-csearch_path%3D${name}` }))
  }
  const account = { ...accountWith('a'), email: 'ann@example.com' }
  for (const store of stores) {
    await store.accounts.create(account)
    expect(await store.accounts.list()).toEqual([account])
  }
  await expect(open({ url })).rejects.toMatchObject({ code: 'usage' })
})

test('a role that may not change all tables is refused', async () => {
  const { url, admin } = await createOwner()
  await open({ url: admin })
  url.password = 'sec:ret'
  const grant = (table: string) =>
    runSql(admin, `grant select, insert, update, delete on ${table} to ${url.username}`)
  await grant('all tables in schema public')
  await runSql(admin, `revoke delete on message from ${url.username}`)
  await expect(open({ url: url.href }, false)).rejects.toMatchObject({
    code: 'usage',
    message: 'The role may not read and change the table message.',
  })
  await grant('message')
  await open({ url: url.href }, false)
})
