import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import DataExport from '../../../commands/data/export.js'
import DataImport from '../../../commands/data/import.js'
import { RelayClient } from '../../../src/index.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'

const number = '+12025550143'

/** A receiver of webhooks that answers all with 500. */
async function startReceiver(): Promise<{ url: string; requested: Promise<unknown> }> {
  const server = createServer((_, response) => response.writeHead(500).end())
  const requested = once(server, 'request')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requested }
}

async function useEverything(dataDir: string): Promise<void> {
  const relay = await createRelay({ dataDir, port: 0 })
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const keys = await relay.administration.createAccount({ email: 'Ann@example.com' })
  await relay.administration.createAccount({ email: 'bob@example.com', mode: 'at-most-once' })
  await relay.administration.changeLimits('bob@example.com', { messages_per_day: 5 })
  const invitation = { account: 'bob@example.com', email: 'cem@example.com', role: 'reader' }
  await relay.administration.invitePerson(invitation)
  await relay.administration.rotateKeys('ann@example.com', 'hook')
  const { url } = relay
  const user = keys.secret_key
  const api = new RelayClient({ url, credentials: { user, password: keys.api_key } })
  const phone = new RelayClient({
    url,
    credentials: { user, password: keys.app_key },
    phone: { name: 'attic', driver: 'simulate' },
  })
  const receiver = await startReceiver()
  const { id: paused } = await api.subscriptions.create({ event: 'message.sent', url })
  await api.subscriptions.pause(paused)
  await api.subscriptions.create({ event: 'message.create', url: receiver.url })
  await useMessages(api, phone)
  await useLists(api, phone)
  const secret = await api.secretUrls.create({ destination: [number], message: 'a', rate: '2/h' })
  await fetch(secret.url ?? '', { method: 'POST' })
  await api.secretUrls.create({ name: 'open', expires_in: 3600, confirm: true })
  await api.mailboxes.create({ alias: 'alerts', destinations: [number], senders: ['@a.example'] })
  await api.mailboxes.create({ name: 'key', subject: 'first', hourly_limit: 3 })
  await receiver.requested
  await relay.stop()
}

async function useMessages(api: RelayClient, phone: RelayClient): Promise<void> {
  const ids: string[] = []
  for (const message of ['sent', 'failed', 'unknown', 'leased', 'locked', 'deleted', 'removed']) {
    ids.push((await api.messages.create({ destination: '(202) 555-0143', message })).id)
  }
  for (let at = 0; at < 3; at += 1) {
    const { id = '' } = (await phone.messages.next()) ?? {}
    if (at === 0) await phone.messages.reportSuccess(id, { parts: 2 }, { idempotencyKey: 'k' })
    else if (at === 1) await phone.messages.reportFailure(id, { error_message: 'no signal' })
    else await phone.messages.reportFailure(id, { error_message: 'lost', outcome: 'unknown' })
  }
  await api.messages.delete(ids[0] ?? '')
  await phone.messages.next()
  await api.messages.lock(ids[4] ?? '')
  await api.messages.delete(ids[5] ?? '')
  const later = { message: 'later', send_on: '2099-01-01 00:00:00' }
  await api.messages.create({ destination: '5551212', ...later })
}

async function useLists(api: RelayClient, phone: RelayClient): Promise<void> {
  await api.doNotText.add('+12025550188', { note: 'asked' })
  const entries = [{ number: '+12025550189', note: 'file' }]
  await api.doNotText.import(entries)
  await api.messages.create({ destination: '+12025550188', message: 'blocked' })
  for (const [from, message] of [
    ['+12025550177', 'Thanks!'],
    ['+12025550166', 'STOP'],
    ['A Bank', 'Your code'],
  ] as const) {
    await phone.receivedTexts.report({ from, message })
  }
}

test('an import accepts what a relay writes of every kind', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  await useEverything(dataDir)
  const exported = await run(DataExport, ['--data', dataDir])
  const kinds = exported.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).kind)
  const expected = [
    ...['account', 'token', 'message', 'subscription', 'capability', 'mailbox', 'phone'],
    ...['received', 'tally', 'block', 'once', 'event', 'audit', 'invitation'],
  ]
  expect(new Set(kinds)).toEqual(new Set(expected))
  const flags = ['--data', join(await temporaryFolder(), 'copy')]
  expect(await run(DataImport, flags, { stdin: exported.stdout })).toMatchObject({ stderr: '' })
  expect((await run(DataExport, flags)).stdout).toBe(exported.stdout)
})
