import { expect, test } from 'vitest'
import {
  pauseSubscription,
  type Subscription,
} from '../../../../src/domain/webhook/subscription.js'
import { resumeSubscription } from '../../../../src/domain/webhook/subscription-state.js'
import { createMailSender } from '../../../../src/server/mail/mail-sender.js'
import { AutomaticMail } from '../../../../src/server/services/automatic-mail.js'
import { ProblemService } from '../../../../src/server/services/problem-service.js'
import { PauseAlerts } from '../../../../src/server/services/webhooks/pause-alerts.js'
import { createSoleLeases } from '../../../../src/server/store/worker-leases.js'
import { openMailServer } from '../../collecting-mail-server.js'
import { createObservers } from '../../observers.js'
import { accountWith } from '../../store/rig.js'
import { World } from '../world.js'

const minute = 60_000
const owner = accountWith('a', { alerts: 'ann@example.com' })

async function open(account = owner) {
  const world = await World.open()
  await world.store.accounts.create(account)
  const server = await openMailServer()
  const observers = createObservers()
  /** Starts a node that has the lease of the account while `hasLease` says so. */
  const start = async (hasLease = () => true) => {
    const { clock } = world
    const leases = createSwitchedLeases(hasLease)
    const store = { ...world.store, workerLeases: leases }
    const context = { ...observers, store, clock, newId: () => 'id' }
    const send = createMailSender({ url: server.url, from: 'relay@example.org', requireTls: false })
    const mail = new AutomaticMail(context, send, 'alert mail')
    const alerts = new PauseAlerts(context, mail, error => expect.fail(String(error)))
    await alerts.start()
    return Object.assign(alerts, { tellLeases: leases.tell })
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
  const codes = async () => {
    const problems = new ProblemService({ ...observers, store: world.store, clock: world.clock })
    return (await problems.list(account.id)).map(({ code }) => code)
  }
  return { world, server, start, service, id, isReported, codes }
}

/** Leases that a node has while `hasLease` says so, and a function that tells that they changed. */
function createSwitchedLeases(hasLease: () => boolean) {
  const sole = createSoleLeases()
  const listeners: (() => void)[] = []
  return {
    ...sole,
    find: (account: string) => (hasLease() ? sole.find(account) : undefined),
    watch: (listener: () => void) => {
      listeners.push(listener)
      return () => listeners.splice(listeners.indexOf(listener), 1)
    },
    tell: () => {
      for (const listener of listeners) listener()
    },
  }
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
  world.clock.advance(5000)
  await expect.poll(() => world.clock.pending).toBe(1)
  world.clock.advance(9 * minute)
  expect(await isReported()).toBe(false)
  world.clock.advance(minute)
  await expect.poll(() => server.mails).toHaveLength(2)
  expect(server.mails[1]?.body).toContain(`${id} to message.create is resumed`)
  expect(server.mails[1]?.body).toContain(`${other.id} to message.create has been paused since`)
  await expect.poll(isReported).toBe(true)
  await alerts.stop()
})

test('a mail that fails is a problem, is tried again, and survives a restart', async () => {
  const { world, server, start, service, id, isReported, codes } = await open()
  const first = await start()
  server.state.isBroken = true
  await service.pause(id)
  world.clock.advance(5000)
  const failed = ['alert_mail_failed', 'subscription_paused']
  await expect.poll(codes).toEqual(failed)
  await first.stop()
  await world.reopen()
  server.state.isBroken = false
  const second = await start()
  world.clock.advance(5000)
  await expect.poll(() => server.mails).toHaveLength(1)
  await expect.poll(isReported).toBe(true)
  expect(await codes()).toEqual(['subscription_paused'])
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

test('a mail that fails is tried again after one minute, two minutes and so on', async () => {
  const { world, server, start, service, id, codes } = await open()
  const alerts = await start()
  server.state.isBroken = true
  await service.pause(id)
  const attempt = async (wait: number, attempts: number) => {
    world.clock.advance(wait)
    await expect.poll(() => server.state.attempts).toBe(attempts)
    await expect.poll(codes).toContain('alert_mail_failed')
  }
  await attempt(5000, 1)
  await expect
    .poll(() => world.store.limits.get('alert mail', 'a'))
    .toMatchObject({ delay: minute })
  await attempt(minute, 2)
  const delay = 2 * minute
  await expect.poll(() => world.store.limits.get('alert mail', 'a')).toMatchObject({ delay })
  server.state.isBroken = false
  world.clock.advance(2 * minute)
  await expect.poll(() => server.mails).toHaveLength(1)
  await expect.poll(codes).toEqual(['subscription_paused'])
  await alerts.stop()
})

test('a failed mail is no problem any more when there is nothing to report', async () => {
  const { world, server, start, service, id, codes } = await open()
  const alerts = await start()
  server.state.isBroken = true
  await service.pause(id)
  world.clock.advance(5000)
  await expect.poll(codes).toEqual(['alert_mail_failed', 'subscription_paused'])
  await world.store.subscriptions.remove(id)
  world.clock.advance(minute)
  await expect.poll(codes).toEqual([])
  await alerts.stop()
})

test('of several nodes the one with the lease of the account sends the mail', async () => {
  const { world, server, start, service, id, isReported } = await open()
  let owner = 1
  const [one, two] = [await start(() => owner === 1), await start(() => owner === 2)]
  await service.pause(id)
  world.clock.advance(5000)
  await expect.poll(() => server.mails).toHaveLength(1)
  await expect.poll(isReported).toBe(true)
  owner = 0
  await service.resume(id)
  world.clock.advance(5000)
  expect(world.clock.pending).toBe(0)
  owner = 2
  for (const node of [one, two]) node.tellLeases()
  await expect.poll(() => world.clock.pending).toBe(2)
  world.clock.advance(5000)
  await expect.poll(() => world.clock.pending).toBe(1)
  world.clock.advance(9 * minute)
  expect(await isReported()).toBe(false)
  world.clock.advance(minute)
  await expect.poll(() => server.mails).toHaveLength(2)
  await expect.poll(isReported).toBe(true)
  await Promise.all([one.stop(), two.stop()])
  expect(server.mails).toHaveLength(2)
})

test('two nodes that both believe to have the lease send one mail', async () => {
  const { world, server, start, service, id, isReported } = await open()
  const [one, two] = [await start(), await start()]
  await service.pause(id)
  world.clock.advance(5000)
  await expect.poll(isReported).toBe(true)
  world.clock.advance(20 * minute)
  await Promise.all([one.stop(), two.stop()])
  expect(server.mails).toHaveLength(1)
})
