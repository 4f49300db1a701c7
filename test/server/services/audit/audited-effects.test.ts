import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import { BackupService } from '../../../../src/server/services/backup-service.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { startAudited } from './audit-rig.js'

/** A server that runs `act` while it handles each request. */
async function startServer(act: () => Promise<unknown>): Promise<string> {
  const server = createServer((_, response) => void act().finally(() => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a test webhook and an event that is sent again arrive after their entries', async () => {
  const { client, readNew } = await startAudited()
  const actions: string[][] = []
  const url = await startServer(async () => {
    actions.push((await readNew()).map(({ action }) => action))
  })
  const { id } = await client.subscriptions.create({ event: 'message.create', url })
  const message = { destination: '+12025550123', message: 'Hello' }
  await client.messages.create(message)
  await expect.poll(() => actions).toHaveLength(1)
  await client.subscriptions.test(id)
  const sequence = (await client.events.list({ after: -1 })).last
  await expect.poll(async () => (await client.subscriptions.get(id)).stat_triggered).toBe(1)
  await client.subscriptions.resend(id, sequence)
  expect(actions.slice(1)).toEqual([['subscription.test'], ['delivery.resend']])
  await expect(client.subscriptions.resend(id, 999)).rejects.toMatchObject({ code: 'not_found' })
  expect(await readNew()).toEqual([])
})

test('a backup begins after its entry, and not without it', async () => {
  const steps: string[] = []
  const write = async () => void steps.push('write')
  const clock = new FakeClock({ start: Date.UTC(2030, 0) })
  const folder = await temporaryFolder()
  const backups = new BackupService({ clock }, folder, { extension: '', write })
  const refused = backups.start(async () => {
    throw new RelayError('unavailable', 'The disk is full.')
  })
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  expect(steps).toEqual([])
  const name = await backups.start(async subject => void steps.push(subject))
  await backups.stop()
  expect(steps).toEqual([name, 'write'])
})
