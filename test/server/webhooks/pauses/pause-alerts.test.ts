import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import {
  pauseSubscription,
  type Subscription,
} from '../../../../src/domain/webhook/subscription.js'
import { resumeSubscription } from '../../../../src/domain/webhook/subscription-state.js'
import { createMailSender } from '../../../../src/server/mail/mail-sender.js'
import { PauseAlerts } from '../../../../src/server/services/webhooks/pause-alerts.js'
import { createObservers } from '../../observers.js'
import { accountWith } from '../../store/rig.js'
import { World } from '../world.js'

const minute = 60_000
const owner = accountWith('a', { alerts: 'ann@example.com' })

/** An SMTP server that collects mail, or rejects it while `isBroken`. */
async function openMailServer() {
  const mails: { to: string; body: string }[] = []
  const state = { isBroken: false }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      void text(stream).then(body => {
        if (state.isBroken) return done(new Error('out of order'))
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        mails.push({ to, body: body.replaceAll('=\r\n', '') })
        done()
      })
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(async () => await new Promise<void>(resolve => server.close(() => resolve())))
  const { port } = listener.address() as AddressInfo
  return { mails, state, url: `smtp://127.0.0.1:${port}` }
}

async function open(account = owner) {
  const world = await World.open()
  await world.store.accounts.create(account)
  const server = await openMailServer()
  const observers = createObservers()
  const start = async () => {
    const { store, clock } = world
    const context = { ...observers, store, clock, newId: () => 'id' }
    const send = createMailSender({ url: server.url, from: 'relay@example.org', requireTls: false })
    const alerts = new PauseAlerts(context, send, error => expect.fail(String(error)))
    await alerts.start()
    return alerts
  }
  const change = async (id: string, decide: (now: Subscription) => Subscription) =>
    await world.store.subscriptions.change(id, decide)
  const service = {
    pause: async (id: string) =>
      await change(id, now => pauseSubscription(now, world.clock.now(), 'request')),
    resume: async (id: string) =>
      await change(id, now => resumeSubscription(now, world.clock.now())),
  }
  const { id } = await world.subscribe('http://h/')
  const isReported = async () => (await world.store.subscriptions.get(id))?.unreported === undefined
  return { world, server, start, service, id, isReported, problems: observers.problems }
}

test('a pause is mailed to the address of the account', async () => {
  const { world, server, start, service, id, isReported } = await open()
  const alerts = await start()
  await service.pause(id)
  world.clock.advance(5000)
  await expect.poll(() => server.mails).toHaveLength(1)
  expect(server.mails[0]?.to).toBe('ann@example.com')
  expect(server.mails[0]?.body).toMatch(new RegExp(`^Subscription ${id} to message.create`, 'm'))
  await expect.poll(isReported).toBe(true)
  await alerts.stop()
})

test('an account gets at most one mail in ten minutes, with all changes', async () => {
  const { world, server, start, service, id, isReported } = await open()
  const alerts = await start()
  const other = await world.subscribe('http://h/')
  await service.pause(id)
  world.clock.advance(5000)
  await expect.poll(() => server.mails).toHaveLength(1)
  await expect.poll(isReported).toBe(true)
  await service.resume(id)
  await service.pause(other.id)
  world.clock.advance(9 * minute)
  expect(await isReported()).toBe(false)
  world.clock.advance(minute)
  await expect.poll(() => server.mails).toHaveLength(2)
  expect(server.mails[1]?.body).toContain(`${id} to message.create is resumed`)
  expect(server.mails[1]?.body).toContain(`${other.id} to message.create is paused`)
  await expect.poll(isReported).toBe(true)
  await alerts.stop()
})

test('a mail that fails is a problem, is tried again, and survives a restart', async () => {
  const { world, server, start, service, id, isReported, problems } = await open()
  const first = await start()
  server.state.isBroken = true
  await service.pause(id)
  world.clock.advance(5000)
  const codes = () => problems.list('a').map(({ code }) => code)
  await expect.poll(codes).toEqual(['alert_mail_failed'])
  await first.stop()
  await world.reopen()
  server.state.isBroken = false
  const second = await start()
  world.clock.advance(5000)
  await expect.poll(() => server.mails).toHaveLength(1)
  await expect.poll(isReported).toBe(true)
  expect(codes()).toEqual([])
  await second.stop()
})

test('without an address no pause is marked, and no mail is sent', async () => {
  const account = accountWith('a')
  const { world, server, start, service, id, isReported } = await open(account)
  const alerts = await start()
  await service.pause(id)
  expect(await isReported()).toBe(true)
  world.clock.advance(20 * minute)
  await alerts.stop()
  expect(server.mails).toEqual([])
})
