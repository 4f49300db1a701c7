import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendWithoutKy } from '../../../src/client/request-sender.js'
import { RelayClient } from '../../../src/index.js'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import { destinations } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { keys } from '../servers/accounts.js'
import type { RunningServer } from '../servers/children.js'
import { PhoneProcess } from '../servers/phone-process.js'

const count = 20_000
const batch = 500
const window = 500

/** The time and the use of the processor from the first create to the last submit_sm_resp. */
interface Run {
  readonly rate: number
  /** Microseconds of the phone's processor time for a message. */
  readonly cpu: number
}

/** Measures `smsrelay phone` with the driver smpp: creating and sending at the same time. */
export async function measurePhone(bench: Bench): Promise<Figure[]> {
  const wide: Run[] = []
  for (let round = 0; round < bench.options.rounds; round += 1) {
    wide.push(await measureRun(bench, { count, concurrency: window, round }))
  }
  const narrow = await measureRun(bench, { count: 4000, concurrency: 1, round: 0 })
  return [
    {
      row: 'phone: processor time of a message',
      value: getMedian(wide.map(run => run.cpu)),
      unit: 'µs',
      target: { most: 120 },
      note: `${getMedian(wide.map(run => run.rate)).toFixed(0)} messages/s, ${window} in flight`,
    },
    {
      row: 'phone: messages a second, one in flight',
      note: `${narrow.cpu.toFixed(0)} µs of processor time each`,
      value: narrow.rate,
      unit: '/s',
      target: { least: 800 },
    },
  ]
}

async function measureRun(
  { options, children }: Bench,
  run: { readonly count: number; readonly concurrency: number; readonly round: number },
): Promise<Run> {
  const directory = await children.seed({})
  const relay = await children.relay(directory, `phone-${run.concurrency}-${run.round}`)
  const smsc = await children.smsc()
  const home = join(directory, 'home')
  mkdirSync(home)
  const { profiles } = options
  const ports = { relayPort: relay.port, smscPort: smsc.port }
  const { concurrency } = run
  const phone = new PhoneProcess({ ...ports, concurrency, directory: home, profiles })
  try {
    const client = new RelayClient({
      url: `http://127.0.0.1:${relay.port}`,
      credentials: { user: keys.secretKey, password: keys.apiKey },
      request: sendWithoutKy,
    })
    // The first messages let the phone sign in, bind and compile what it runs often.
    await createMessages(client, 2000)
    await waitForAnswers(smsc, 2000)
    const before = await phone.getUsage()
    const startedAt = performance.timeOrigin + performance.now()
    await createMessages(client, run.count)
    const lastAt = await waitForAnswers(smsc, 2000 + run.count)
    const after = await phone.getUsage()
    return {
      rate: run.count / ((lastAt - startedAt) / 1000),
      cpu: (after.cpu - before.cpu) / run.count,
    }
  } finally {
    await phone.stop()
    await smsc.stop()
    await relay.stop()
    children.remove(directory)
  }
}

async function createMessages(client: RelayClient, total: number): Promise<void> {
  for (let start = 0; start < total; start += batch) {
    const length = Math.min(batch, total - start)
    const drafts = Array.from({ length }, (_, n) => ({
      destination: destinations[(start + n) % destinations.length] ?? '',
      message: `Your parcel ${start + n} arrives today between 14:00 and 16:00.`,
    }))
    await client.messages.createBatch(drafts)
  }
}

/** Resolves to the time of the last of so many answers of the SMSC. */
async function waitForAnswers(smsc: RunningServer, total: number): Promise<number> {
  for (;;) {
    const { answered, lastAt } = (await smsc.ask('answered')) as {
      readonly answered: number
      readonly lastAt: number
    }
    if (answered >= total) return lastAt
    await sleep(20)
  }
}
