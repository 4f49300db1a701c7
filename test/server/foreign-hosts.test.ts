import { expect, test } from 'vitest'
import type { RelaySettings } from '../../src/server/config/relay-config.js'
import { openConnection } from '../net/server/client-connection.js'
import { runRelay } from './running-relay.js'

const own = ['127.0.0.1', 'LOCALHOST:1', 'localhost.', 'a.localhost', '[::1]:8080', '192.0.2.1']
const foreign = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '', 'a b']
const base = 'https://sms.example.com/sms'
const cases: readonly (readonly [string, RelaySettings, ok: string[], refused: string[]])[] = [
  ['on loopback', {}, own, [...foreign, 'sms.example.com']],
  ['on loopback with a base URL', { baseUrl: base }, [...own, 'SMS.example.com.:443'], foreign],
  ['behind a proxy', { trustProxy: true }, [...own, 'evil.example'], []],
  ['behind a proxy with a base URL', { trustProxy: true, baseUrl: base }, own, ['evil.example']],
  ['on all addresses', { host: '0.0.0.0' }, [...own, 'evil.example'], []],
]

test.each(cases)('a relay %s answers to known names only', async (_, settings, known, refused) => {
  const { relay } = await runRelay({ ...settings, metricsPort: 0 })
  // The port for metrics is always on loopback.
  const isOnLoopback = settings.host === undefined
  for (const url of isOnLoopback ? [relay.url, relay.metricsUrl ?? ''] : [relay.url]) {
    const port = Number(new URL(url).port)
    for (const host of known) expect(await get(port, host), host).toMatch(/^HTTP\/1\.1 200 /)
    const withKey = 'sms.internal\r\nAuthorization: Basic eDp5'
    expect(await get(port, withKey)).toMatch(/^HTTP\/1\.1 (200|401) /)
    for (const host of refused) {
      expect(await get(port, host), host).toMatch(/^HTTP\/1\.1 40[03] [\s\S]*(--base-url|Host)/)
    }
  }
})

async function get(port: number, host: string): Promise<string> {
  const connection = await openConnection(port)
  await connection.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return (await connection.replies(1))[0] ?? ''
}
