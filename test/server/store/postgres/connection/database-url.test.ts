import { expect, test } from 'vitest'
import * as databaseUrl from '../../../../../src/server/store/postgres/connection/database-url.js'

const plain = false
const checked = { rejectUnauthorized: true }
const unchecked = { rejectUnauthorized: false }

test.each([
  ['no host', 'postgres:///sms', plain],
  ['a name of this machine', 'postgres://ann@localhost/sms', plain],
  ['a loopback address', 'postgres://ann@127.0.0.1:5433/sms', plain],
  ['another loopback address', 'postgres://ann@127.8.9.10/sms', plain],
  ['the loopback address of IPv6', 'postgres://ann@[::1]/sms', plain],
  ['a loopback address in IPv6', 'postgres://ann@[::ffff:127.0.0.1]/sms', plain],
  ['a socket', 'postgres:///sms?host=/run/postgresql', plain],
  ['a socket, with TLS', 'postgres:///sms?host=/run/postgresql&sslmode=verify-full', plain],
  ['a private address', 'postgres://ann@10.0.0.5/sms', checked],
  ['another private address', 'postgres://ann@192.168.1.2/sms', checked],
  ['a private address of IPv6', 'postgres://ann@[fd00::5]/sms', checked],
  ['a public address', 'postgresql://ann@203.0.113.7/sms', checked],
  ['a short name', 'postgres://ann@postgres/sms', checked],
  ['a host name', 'postgres://ann@db.example.com/sms', checked],
  ['a name like that of this machine', 'postgres://ann@localhost.example.com/sms', checked],
  ['a name like a loopback address', 'postgres://ann@127.0.0.1.example.com/sms', checked],
  ['another host as parameter', 'postgres://ann@localhost/sms?host=db.example.com', checked],
  ['this machine, with TLS', 'postgres://ann@localhost/sms?sslmode=verify-full', checked],
  ['a host name, without TLS', 'postgres://ann@db.example.com/sms?sslmode=disable', plain],
  ['a host name, require', 'postgres://ann@db.example.com/sms?sslmode=require', checked],
  ['a host name, no-verify', 'postgres://ann@db.example.com/sms?sslmode=no-verify', unchecked],
] as const)('%s: %s has the TLS %j', async (_, url, ssl) => {
  const { config } = await databaseUrl.parseDatabaseUrl({ url })
  expect(config.ssl).toEqual(ssl)
})

test('an empty sslmode is no way around TLS', async () => {
  const url = 'postgres://ann@db.example.com/sms?sslmode='
  await expect(databaseUrl.parseDatabaseUrl({ url })).rejects.toMatchObject({ code: 'usage' })
})
