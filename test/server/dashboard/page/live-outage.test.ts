import { expect, onTestFinished, test } from 'vitest'
import { createRelay } from '../../../quick-relay.js'
import { runDatabaseProxy } from '../../store/postgres/database-proxy.js'
import { openTestDatabase } from '../../store/postgres/test-postgres.js'
import { Browser } from '../browser.js'
import { annEmail, password } from '../dashboard-relay.js'

test('the stream of a live page ends while the database is away', async () => {
  const proxy = await runDatabaseProxy(await openTestDatabase())
  const limits = { heartbeat: 20 }
  const relay = await createRelay({ database: { url: proxy.url }, port: 0, limits })
  onTestFinished(async () => await relay.stop())
  await relay.start()
  await relay.administration.createAccount({ email: annEmail, password })
  const browser = new Browser(relay.url, { email: annEmail, password })
  await browser.get('/')
  const headers = { Cookie: [...browser.cookies].map(pair => pair.join('=')).join('; ') }
  const openStream = async () => await fetch(`${relay.url}/live`, { headers })
  const stream = await openStream()
  expect(stream.status).toBe(200)
  await proxy.stop()
  expect(await stream.text()).toContain('retry: 1000')
  expect((await openStream()).status).toBe(503)
  await proxy.start()
  await expect.poll(async () => (await openStream()).status).toBe(200)
})
