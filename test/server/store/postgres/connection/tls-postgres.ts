import { chown, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { projectRoot } from '../../../../source-tree.js'
import { type RunningServer, startPostgres } from '../postgres-process.js'
import { runSql } from '../test-postgres.js'

// The keys are of type P-256. `openssl ca` signed the certificates with an authority that is not
// stored; all are valid until 2126, except `expired`, which ended in 2025. `server` and `expired`
// are for localhost and 127.0.0.1, `other-host` is for db.example.com, `client` is for `smsrelay`.
const folder = join(projectRoot, 'test/fixtures/tls')

/** The file of a certificate or key for tests only, such as `server.key`. */
export function getTlsFile(name: string): string {
  return join(folder, name)
}

/** A PostgreSQL that offers TLS with the certificate of its last `present`. */
export interface TlsPostgres {
  readonly url: string
  readonly directory: string
  /** Has the server present a certificate of the fixtures. */
  present(name: 'server' | 'other-host' | 'expired'): Promise<void>
}

/** Runs a PostgreSQL that offers TLS for all tests of a file. */
export function useTlsPostgres(): () => TlsPostgres {
  let running: TlsPostgres | undefined
  beforeAll(async () => {
    const server = await startPostgres()
    running = { ...server, present: async name => await presentTo(server, name) }
    return server.stop
  })
  return () => {
    if (running === undefined) throw new Error('PostgreSQL has not started.')
    return running
  }
}

/** The server reads only files of its own user, and new ones when it is told to. */
async function presentTo({ url, directory }: RunningServer, name: string): Promise<void> {
  const { uid, gid } = await stat(directory)
  for (const file of ['authority.pem', `${name}.pem`, `${name}.key`]) {
    const copy = join(directory, 'data', file)
    await writeFile(copy, await readFile(getTlsFile(file)), { mode: 0o600 })
    await chown(copy, uid, gid)
  }
  await runSql(url, "alter system set ssl_ca_file = 'authority.pem'")
  await runSql(url, `alter system set ssl_cert_file = '${name}.pem'`)
  await runSql(url, `alter system set ssl_key_file = '${name}.key'`)
  await runSql(url, 'alter system set ssl = on')
  await runSql(url, 'select pg_reload_conf()')
  const readSetting = async () => await runSql(url, 'show ssl_cert_file')
  await expect.poll(readSetting).toEqual([{ ssl_cert_file: `${name}.pem` }])
}
