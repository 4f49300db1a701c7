import { setTimeout as sleep } from 'node:timers/promises'
import type { Cut } from '../harness/cutting-proxy.js'
import type { Harness } from '../harness/harness.js'
import { assertCleanExit, type PhoneProcess } from '../harness/phone-process.js'
import type { CrashPoint } from '../injection/crash-point.js'
import { describePoint, phoneReleasePoints, releasePoints } from './crash-points.js'
import { type Effort, FaultCounter, type Faults, waitAtMost } from './scenario.js'

/** A fault while the first phone stops with a message that it must release. */
type Fault =
  /**
   * The message arrives during the stop, or the driver fails; `cut` is the cut of the release
   * request.
   */
  | { readonly of: 'crossing' | 'trouble'; readonly cut?: Cut }
  /** The phone or the relay is killed at that point. */
  | { readonly of: 'phone' | 'relay'; readonly point: CrashPoint }

const cuts: readonly { readonly cut?: Cut }[] = [
  {},
  { cut: 'before' },
  { cut: 'after' },
  { cut: 'within' },
]

const faults: readonly Fault[] = [
  ...cuts.map(cut => ({ of: 'crossing', ...cut }) as const),
  ...cuts.map(cut => ({ of: 'trouble', ...cut }) as const),
  ...phoneReleasePoints.map(point => ({ of: 'phone', point }) as const),
  ...releasePoints.map(point => ({ of: 'relay', point: { ...point, nth: 1 } }) as const),
]

const timeLimit = 20_000
const maxTries = 8
/** Milliseconds. With delayed replies, messages wait and a NEXT is in progress most of the time. */
const replyDelay = 600

/**
 * Stops the first phone with a message to release, makes each of these faults, and starts it again,
 * under load.
 */
export async function releaseMessages(
  harness: Harness,
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { random, load } = harness
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const fault of random.shuffle(faults).slice(0, maxFaults)) {
      counter.count(await makeFault(harness, fault), describeFault(fault))
      load.allowance += 1
    }
  }
  await load.waitForAccepted(messages)
  return counter.faults
}

async function makeFault(harness: Harness, fault: Fault): Promise<boolean> {
  if (fault.of === 'relay') return await killRelayAt(harness, fault.point)
  if (fault.of === 'phone') return await killPhoneAt(harness, fault.point)
  for (let left = maxTries; left > 0; left -= 1)
    if (await stopWithFault(harness, fault)) return true
  return false
}

/** Resolves to whether the phone released a message. */
async function stopWithFault(
  harness: Harness,
  { of, cut }: { of: string; cut?: Cut },
): Promise<boolean> {
  const { proxy, random } = harness
  const phone = harness.phones[0] as PhoneProcess
  let asked = false
  if (of === 'trouble') await causeTrouble(harness, phone)
  proxy.decide = kind => {
    if (kind === 'next' && of === 'crossing') return 'late'
    if (kind !== 'release') return undefined
    asked = true
    return cut
  }
  await phone.waitUntilReady()
  if (of === 'crossing') await sleep(replyDelay + random.below(replyDelay))
  const end = await phone.process.end('SIGTERM')
  assertCleanExit(end, `The phone ${phone.settings.name}`, phone.process)
  proxy.decide = () => undefined
  restartPhone(harness, phone)
  return asked
}

async function killPhoneAt(harness: Harness, point: CrashPoint): Promise<boolean> {
  const phone = harness.phones[0] as PhoneProcess
  await phone.stop()
  harness.driver.disableFor(phone.settings.name)
  phone.start(point)
  await causeTrouble(harness, phone)
  const { signal } = await phone.process.end('SIGTERM')
  restartPhone(harness, phone)
  return signal === 'SIGKILL'
}

async function killRelayAt(harness: Harness, point: CrashPoint): Promise<boolean> {
  const { relay } = harness
  const phone = harness.phones[0] as PhoneProcess
  await relay.process.end('SIGKILL')
  await relay.start(point)
  await causeTrouble(harness, phone)
  // A phone with an outcome that the dead relay did not answer reports it before it ends.
  const stopped = phone.stop()
  await Promise.race([stopped, relay.process.ended])
  const dead = await waitAtMost(1000, relay.process.ended)
  if (!dead) await relay.process.end('SIGKILL')
  await relay.start()
  await stopped
  restartPhone(harness, phone)
  return dead
}

/** Waits until the phone holds a message that it cannot send. */
async function causeTrouble({ driver }: Harness, phone: PhoneProcess): Promise<void> {
  await phone.waitUntilReady()
  const before = phone.driverErrors
  driver.disableFor(phone.settings.name)
  const deadline = performance.now() + timeLimit
  while (phone.driverErrors === before && performance.now() < deadline) await sleep(10)
}

function restartPhone({ driver }: Harness, phone: PhoneProcess): void {
  driver.enableFor(phone.settings.name)
  phone.start()
}

function describeFault(fault: Fault): string {
  if ('point' in fault) return `giving back, ${fault.of} killed ${describePoint(fault.point)}`
  const cut = fault.cut === undefined ? 'nothing cut' : `cut ${fault.cut} release`
  return `giving back after ${fault.of}, ${cut}`
}
