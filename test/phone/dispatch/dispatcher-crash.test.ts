import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DeliveryMode } from '../../../src/domain/account/account.js'
import type { Driver } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import type { FileJournal } from '../../../src/phone/journal/file-journal.js'
import type { Journal } from '../../../src/phone/journal/journal.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { createClock } from '../../../src/util/async/clock.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { copyAfterCrash, openJournal } from '../journal/journal-rig.js'
import { createPhoneClient, setUp } from '../relay-rig.js'

const steps = [
  'before the start is journaled',
  'before the driver',
  'in the driver',
  'before the outcome is journaled',
  'before the report',
  'before the end of the report is journaled',
] as const
type Step = (typeof steps)[number]

const minute = 60_000

/** Driver calls and final status, by delivery mode, lease, and the step at which the phone dies. */
const table: Record<DeliveryMode, Record<'held' | 'ended', Record<Step, [number, string]>>> = {
  'at-least-once': {
    held: row([1, 'S'], [1, 'S'], [2, 'S'], [2, 'S'], [1, 'S'], [1, 'S']),
    ended: row([1, 'S'], [1, 'S'], [2, 'S'], [2, 'S'], [1, 'S'], [1, 'S']),
  },
  'at-most-once': {
    held: row([1, 'S'], [0, 'L'], [1, 'L'], [1, 'L'], [1, 'S'], [1, 'S']),
    ended: row([0, 'L'], [0, 'L'], [1, 'L'], [1, 'L'], [1, 'S'], [1, 'S']),
  },
}

function row(...cells: [number, string][]): Record<Step, [number, string]> {
  return Object.fromEntries(steps.map((step, n) => [step, cells[n]])) as Record<
    Step,
    [number, string]
  >
}

const cells = (['at-least-once', 'at-most-once'] as const).flatMap(mode =>
  (['held', 'ended'] as const).flatMap(lease => steps.map(step => ({ mode, lease, step }))),
)

describe('a phone that dies and is started again', () => {
  it.each(cells)('$mode, lease $lease: $step', async ({ mode, lease, step }) => {
    const world = await openWorld(mode)
    const { id } = await world.send()
    const left = await world.killAt(step)
    if (lease === 'ended') await world.expireLease(id)
    const again = await openJournal(left, { credentials: world.credentials })
    const wereUnreported = again.attempts.unreported().length > 0
    // Each run sends what is due; the delays of retries pass between them.
    for (let run = 0; run < 3; run += 1) {
      await world.runOnce(again)
      world.pass(16 * minute)
    }
    expect([world.sent.length, await world.status(id)]).toEqual(table[mode][lease][step])
    expect(wereUnreported).toBe(step !== 'before the start is journaled')
    expect(again.attempts.unreported()).toEqual([])
  })

  it.each(['at-least-once', 'at-most-once'] as const)(
    '%s: known outcomes are reported before the next NEXT',
    async mode => {
      const world = await openWorld(mode)
      const first = await world.send()
      const left = await world.killAt('before the report')
      const second = await world.send()
      const again = await openJournal(left, { credentials: world.credentials })
      const events = await world.runOnce(again)
      expect(events.map(({ event, ...rest }) => [event, 'id' in rest && rest.id])).toEqual([
        ['resumed', first.id],
        ['sent', first.id],
        ['ready', false],
        ['took', second.id],
        ['sent', second.id],
      ])
      expect(world.sent).toEqual([first.id, second.id])
    },
  )

  it('an outcome that cannot be reported is stored until the relay answers again', async () => {
    const world = await openWorld('at-most-once')
    const { id } = await world.send()
    const left = await world.killAt('before the report')
    await world.stop()
    const stop = new AbortController()
    const journal = await openJournal(left, { credentials: world.credentials })
    const ended = runPhone({
      driver: world.driver,
      journal: journal.attempts,
      received: journal.received,
      client: await createPhoneClient(world.url, world.credentials, journal),
      stop: stop.signal,
      clock: { ...createClock(), sleep: async () => await turn() },
      onEvent: ({ event }) => {
        if (event === 'offline') stop.abort()
      },
    })
    expect(await ended).toMatchObject({ sent: 1, unreported: 1 })
    await world.again()
    await world.runOnce(journal)
    expect([world.sent.length, await world.status(id)]).toEqual([1, 'S'])
  })
})

async function openWorld(mode: DeliveryMode) {
  let skew = 0
  const relay = await setUp({ mode }, 120, () => Date.now() + skew)
  const credentials = { user: relay.account.secret_key, password: relay.account.app_key }
  const sent: string[] = []
  const driver: Driver = {
    name: 'counting',
    send: async ({ id }) => {
      sent.push(id)
      return {}
    },
    async [Symbol.asyncDispose]() {},
  }
  const pass = (milliseconds: number) => {
    skew += milliseconds
  }
  const clientFor = async (journal: FileJournal) =>
    await createPhoneClient(relay.url, credentials, journal)

  /** Runs a phone up to a step; resolves to the directory that it leaves. */
  const killAt = async (step: Step): Promise<string> => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory, { credentials })
    const client = await clientFor(journal)
    await new Promise<void>((resolve, reject) => {
      let isDead = false
      const stopAt = async (reached: Step) => {
        isDead ||= reached === step
        if (!isDead) return
        resolve()
        await new Promise(() => {})
      }
      runPhone({
        driver: stoppingDriver(driver, stopAt),
        journal: stoppingJournal(journal.attempts, stopAt),
        client,
      }).catch(reject)
    })
    return await copyAfterCrash(directory)
  }

  const runOnce = async (journal: FileJournal) => {
    const events: PhoneEvent[] = []
    await runPhone({
      driver,
      journal: journal.attempts,
      received: journal.received,
      client: await clientFor(journal),
      once: true,
      onEvent: event => events.push(event),
    })
    return events
  }

  const expireLease = async (id: string) => {
    pass(121_000)
    // Only an unreported message is locked.
    const willLock = (await relay.status(id)) === 'N' && mode === 'at-most-once'
    if (willLock) await expect.poll(() => relay.status(id)).toBe('L')
  }
  return { ...relay, credentials, sent, driver, pass, killAt, runOnce, expireLease }
}

type StopAt = (step: Step) => Promise<void>

function stoppingJournal(journal: Journal, stopAt: StopAt): Journal {
  return {
    unreported: () => journal.unreported(),
    cancel: async attempt => await journal.cancel(attempt),
    begin: async (message, key) => {
      await stopAt('before the start is journaled')
      const known = await journal.begin(message, key)
      await stopAt('before the driver')
      return known
    },
    record: async (attempt, outcome) => {
      await stopAt('before the outcome is journaled')
      await journal.record(attempt, outcome)
      await stopAt('before the report')
    },
    settle: async attempt => {
      await stopAt('before the end of the report is journaled')
      await journal.settle(attempt)
    },
  }
}

function stoppingDriver(driver: Driver, stopAt: StopAt): Driver {
  return {
    ...driver,
    send: async (message, signal) => {
      const receipt = await driver.send(message, signal)
      await stopAt('in the driver')
      return receipt
    },
  }
}
