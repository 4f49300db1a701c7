import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import Serve from '../../../../../commands/serve.js'
import { run } from '../../../../commands/harness.js'
import { claimAtAnotherNode, openNode } from '../../../two-nodes.js'
import { createDatabaseOn, runSql } from '../test-postgres.js'
import { hasPgBouncer, usePgBouncer } from './pgbouncer.js'
import { getTlsFile, useTlsPostgres } from './tls-postgres.js'

const getPostgres = useTlsPostgres()

/** An empty database on the server with TLS, and its URL with the parameters. */
async function createDatabase(parameters: Record<string, string>): Promise<string> {
  const { url, drop } = await createDatabaseOn(getPostgres().url)
  onTestFinished(drop)
  return `${url}?${new URLSearchParams(parameters)}`
}

const authority = { sslrootcert: getTlsFile('authority.pem') }
const verified = { sslmode: 'verify-full', ...authority }
const identified = {
  ...verified,
  sslcert: getTlsFile('client.pem'),
  sslkey: getTlsFile('client.key'),
}

/** The connections to a database, by whether they are encrypted. */
async function countConnections(url: string) {
  const text = `select ssl, count(*)::int from pg_stat_ssl natural join pg_stat_activity
    where datname = '${new URL(url).pathname.slice(1)}' group by ssl`
  return await runSql<{ ssl: boolean; count: number }>(getPostgres().url, text)
}

test.each<{ mode: string; parameters: Record<string, string>; isEncrypted: boolean }>([
  { mode: 'verify-full with the authority', parameters: verified, isEncrypted: true },
  { mode: 'verify-full with a client certificate', parameters: identified, isEncrypted: true },
  { mode: 'no-verify', parameters: { sslmode: 'no-verify' }, isEncrypted: true },
  { mode: 'no sslmode', parameters: {}, isEncrypted: false },
])('a node with $mode works, encrypted: $isEncrypted', async ({ parameters, isEncrypted }) => {
  await getPostgres().present('server')
  const url = await createDatabase(parameters)
  const node = await openNode(url)
  await node.start()
  await claimAtAnotherNode([node])
  const [connections, ...others] = await countConnections(url)
  expect(connections).toMatchObject({ ssl: isEncrypted })
  expect(others).toEqual([])
})

const refused = [
  ['server', { sslmode: 'require' }, /sslrootcert/],
  ['server', { sslmode: 'verify-ca' }, /sslrootcert/],
  ['server', { sslmode: 'verify-full' }, /sslrootcert/],
  ['server', { sslmode: 'verify-full', sslrootcert: getTlsFile('client.pem') }, /sslrootcert/],
  ['other-host', verified, /Name the host in the URL.*127\.0\.0\.1/s],
  ['expired', verified, /Renew the certificate/],
] as const

test('certificates that are not valid end the start with exit code 2', async () => {
  const url = await createDatabase({})
  for (const [name, query, hint] of refused) {
    await getPostgres().present(name)
    const database = `${url}${new URLSearchParams(query)}`
    const { code, stdout, stderr } = await run(Serve, ['--database', database, '--port', '0'])
    expect({ query, code, stdout }).toEqual({ query, code: 2, stdout: '' })
    expect(stderr).toMatch(/^smsrelay: The certificate of the database .* is not valid\. /)
    expect(stderr).toMatch(hint)
  }
  const tables = "select tablename from pg_tables where schemaname = 'public'"
  expect(await runSql(url, tables)).toEqual([])
})

test('a server that demands TLS or a certificate of the client says so at the start', async () => {
  const postgres = getPostgres()
  await postgres.present('server')
  const url = await createDatabase({})
  const name = new URL(url).pathname.slice(1)
  const file = join(postgres.directory, 'data', 'pg_hba.conf')
  const rules = await readFile(file, 'utf8')
  const readLoadTime = async () =>
    await runSql(postgres.url, 'select pg_conf_load_time()::text as time')
  const demand = async (clientCert: string): Promise<void> => {
    const own = [`hostssl ${name} all all trust ${clientCert}`, `host ${name} all all reject`]
    await writeFile(file, `${own.join('\n')}\n${rules}`)
    const before = await readLoadTime()
    await runSql(postgres.url, 'select pg_reload_conf()')
    await expect.poll(readLoadTime).not.toEqual(before)
  }
  onTestFinished(async () => await writeFile(file, rules))
  const start = async (query: Record<string, string>) =>
    await run(Serve, ['--database', `${url}${new URLSearchParams(query)}`, '--port', '0'])
  await demand('')
  expect(await start({})).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Check the role, sslmode, and pg_hba.conf'),
  })
  await demand('clientcert=verify-full')
  expect(await start(verified)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('requires a valid client certificate'),
  })
  const node = await openNode(`${url}${new URLSearchParams(identified)}`)
  await node.start()
})

describe.skipIf(!hasPgBouncer)('through PgBouncer with TLS on both sides (if installed)', () => {
  const throughPool = usePgBouncer(
    () => getPostgres().url,
    [
      'client_tls_sslmode = require',
      `client_tls_cert_file = ${getTlsFile('server.pem')}`,
      `client_tls_key_file = ${getTlsFile('server.key')}`,
      'server_tls_sslmode = verify-full',
      `server_tls_ca_file = ${authority.sslrootcert}`,
    ],
  )

  test('two nodes work', async () => {
    await getPostgres().present('server')
    const url = throughPool(await createDatabase(verified))
    const nodes = await Promise.all([openNode(url), openNode(url)])
    for (const node of nodes) await node.start()
    await claimAtAnotherNode(nodes)
    expect(await countConnections(url)).toMatchObject([{ ssl: true }])
  })
})
