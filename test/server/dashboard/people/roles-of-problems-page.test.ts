import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { roles } from '../../../../src/domain/account/person.js'
import { openClient } from '../dashboard-relay.js'
import { emails, fetchToken, startWithPeople } from './people-rig.js'

test('hosts of receivers and errors of mail servers are for admins', async () => {
  const receiver = createServer((_, response) => response.writeHead(410).end())
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  onTestFinished(() => void receiver.close())
  const relay = await startWithPeople({
    ...{ mailRelay: 'smtp://127.0.0.1:1', mailFrom: 'relay@example.com' },
  })
  const client = openClient(relay.url, relay.ann)
  await client.editSettings({ alerts: 'ann@example.com' })
  await client.subscriptions.create({ url: `http://${host}/`, event: 'message.create' })
  await client.messages.create({ destination: '+12025550143', message: 'Hello' })
  const read = async () => JSON.stringify(await client.status.getStatus())
  await expect.poll(read).toContain('ECONNREFUSED')
  for (const role of roles) {
    const page = await relay.browsers[role].get('/')
    const token = await fetchToken(relay.url, emails[role])
    const headers = { Authorization: `Bearer ${token}` }
    const status = await (await fetch(`${relay.url}/api/1/status`, { headers })).text()
    expect(status).toContain('could not be sent')
    const seen = [page.text, status].map(text => /ECONNREFUSED/.test(text))
    expect([role, page.text.includes(host), ...seen]).toEqual([
      role,
      ...Array(3).fill(role === 'admin'),
    ])
  }
})
