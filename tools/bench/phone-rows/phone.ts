import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RelayClient } from '../../../src/index.js'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import { destinations } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { keys } from '../servers/accounts.js'
import type { RunningServer } from '../servers/children.js'
import { hasKannel, type Kannel, startKannel } from '../servers/kannel.js'
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

interface RunSettings {
  readonly count: number
  readonly concurrency: number
  readonly round: number
}

/** Measures `smsrelay phone` with the driver smpp: creating and sending at the same time. */
export async function measurePhone(bench: Bench): Promise<Figure[]> {
  const wide: Run[] = []
  for (let round = 0; round < bench.options.rounds; round += 1) {
    wide.push(await measureRun(bench, { count, concurrency: window, round }))
  }
  const narrow = await measureRun(bench, { count: 4000, concurrency: 1, round: 0 })
  const rate = getMedian(wide.map(run => run.rate))
  const peer = hasKannel() ? await measureKannel(bench) : undefined
  return [
    {
      row: 'phone: processor time of a message',
      value: getMedian(wide.map(run => run.cpu)),
      unit: 'µs',
      target: { most: 120 },
      note: `${rate.toFixed(0)} messages/s, ${window} in flight`,
    },
    {
      row: 'phone: messages a second, compared with Kannel',
      value: peer === undefined ? undefined : rate / peer,
      unit: 'ratio',
      target: { least: 1 },
      note: peer === undefined ? 'Kannel is not installed' : `Kannel ${peer.toFixed(0)} /s`,
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
  bench: Bench,
  { count: total, concurrency, round }: RunSettings,
): Promise<Run> {
  const name = `phone-${concurrency}-${round}`
  await using run = await startPhoneRun(bench, { concurrency, name })
  const { client, phone, smsc } = run
  // The first messages let the phone sign in, bind and compile what it runs often.
  await createMessages(client, 2000)
  await waitForAnswers(smsc, 2000)
  const before = await phone.getUsage()
  const startedAt = performance.timeOrigin + performance.now()
  await createMessages(client, total)
  const lastAt = await waitForAnswers(smsc, 2000 + total)
  const after = await phone.getUsage()
  return {
    rate: total / ((lastAt - startedAt) / 1000),
    cpu: (after.cpu - before.cpu) / total,
  }
}

interface PhoneRun extends AsyncDisposable {
  readonly client: RelayClient
  readonly phone: PhoneProcess
  readonly smsc: RunningServer
}

/** Starts a relay, an SMSC that answers at once, and a phone; `name` is the name of profiles. */
export async function startPhoneRun(
  { options, children }: Bench,
  { concurrency, name }: { readonly concurrency: number; readonly name: string },
): Promise<PhoneRun> {
  const directory = await children.seed({})
  const relay = await children.relay(directory, name)
  const smsc = await children.smsc()
  const home = join(directory, 'home')
  mkdirSync(home)
  const { profiles } = options
  const ports = { relayPort: relay.port, smscPort: smsc.port }
  const phone = new PhoneProcess({ ...ports, concurrency, directory: home, profiles })
  const client = new RelayClient({
    url: `http://127.0.0.1:${relay.port}`,
    credentials: { user: keys.secretKey, password: keys.apiKey },
  })
  return {
    client,
    phone,
    smsc,
    async [Symbol.asyncDispose]() {
      await phone.stop()
      await smsc.stop()
      await relay.stop()
      children.remove(directory)
    },
  }
}

/** Messages a second of Kannel, from the first request to the last submit_sm_resp. */
async function measureKannel({ options, children }: Bench): Promise<number> {
  const directory = mkdtempSync(join(options.base, 'smsrelay-kannel-'))
  const smsc = await children.smsc()
  const kannel = await startKannel(directory, smsc.port, window)
  try {
    await createInKannel(kannel, 2000)
    await waitForAnswers(smsc, 2000)
    const startedAt = performance.timeOrigin + performance.now()
    await createInKannel(kannel, count)
    return count / (((await waitForAnswers(smsc, 2000 + count)) - startedAt) / 1000)
  } finally {
    await kannel.stop()
    await smsc.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Creates messages over several connections, each with one request at a time. */
async function createInKannel(kannel: Kannel, total: number): Promise<void> {
  let created = 0
  const createSome = async (): Promise<void> => {
    while (created < total) {
      const number = created
      created += 1
      await kannel.create(destinations[number % destinations.length] ?? '', createText(number))
    }
  }
  await Promise.all(Array.from({ length: 32 }, createSome))
}

function createText(number: number): string {
  return `Your parcel ${number} arrives today between 14:00 and 16:00.`
}

/** Creates so many messages, in batches. */
export async function createMessages(client: RelayClient, total: number): Promise<void> {
  for (let start = 0; start < total; start += batch) {
    const length = Math.min(batch, total - start)
    const drafts = Array.from({ length }, (_, n) => ({
      destination: destinations[(start + n) % destinations.length] ?? '',
      message: createText(start + n),
    }))
    await client.messages.createBatch(drafts)
  }
}

/** Resolves to the time of the last of so many answers of the SMSC. */
export async function waitForAnswers(smsc: RunningServer, total: number): Promise<number> {
  for (;;) {
    const { answered, lastAt } = (await smsc.ask('answered')) as {
      readonly answered: number
      readonly lastAt: number
    }
    if (answered >= total) return lastAt
    await sleep(20)
  }
}
