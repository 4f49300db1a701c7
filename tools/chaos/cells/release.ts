import { setTimeout as sleep } from 'node:timers/promises'
import type { Point } from '../inside/point.js'
import { assertEndedWell, type Phone } from '../world/phone.js'
import type { Cut } from '../world/proxy.js'
import type { World } from '../world/world.js'
import { type Effort, FaultCounter, type Faults, settlesWithin } from './cell.js'
import { formatPoint, phoneReleasePoints, releasePoints } from './points.js'

/** A fault while the first phone is stopped and releases a message. */
type Fault =
  /** The message arrived during the stop, or the driver failed; release requests are cut. */
  | { readonly of: 'crossing' | 'trouble'; readonly cut?: Cut }
  /** The phone or the relay is killed during the release. */
  | { readonly of: 'phone' | 'service'; readonly point: Point }

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
  ...releasePoints.map(point => ({ of: 'service', point: { ...point, nth: 1 } }) as const),
]

const maxWait = 20_000
const tries = 8
/** Milliseconds of delayed replies, after which a NEXT is in progress most of the time. */
const crossingDelay = 600

/** Stops the first phone with a message during each fault, and restarts it, under load. */
export async function releaseMessages(
  world: World,
  { rounds, messages, maxFaults }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { random, load } = world
  await load.until(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const fault of random.shuffled(faults).slice(0, maxFaults)) {
      counter.count(await makeFault(world, fault), describe(fault))
      load.allowance += 1
    }
  }
  await load.until(messages)
  return counter.faults
}

async function makeFault(world: World, fault: Fault): Promise<boolean> {
  if (fault.of === 'service') return await killService(world, fault.point)
  if (fault.of === 'phone') return await killPhone(world, fault.point)
  for (let left = tries; left > 0; left -= 1) if (await stopPhone(world, fault)) return true
  return false
}

/** Stops the phone; resolves to whether it released a message. */
async function stopPhone(world: World, { of, cut }: { of: string; cut?: Cut }): Promise<boolean> {
  const { proxy, random } = world
  const phone = world.phones[0] as Phone
  let isReleased = false
  if (of === 'trouble') await failDriver(world, phone)
  proxy.decide = kind => {
    if (kind === 'next' && of === 'crossing') return 'late'
    if (kind !== 'release') return undefined
    isReleased = true
    return cut
  }
  await phone.begun()
  if (of === 'crossing') await sleep(crossingDelay + random.below(crossingDelay))
  const end = await phone.process.end('SIGTERM')
  assertEndedWell(end, `The phone ${phone.settings.name}`, phone.process)
  proxy.decide = () => undefined
  restartPhone(world, phone)
  return isReleased
}

async function killPhone(world: World, point: Point): Promise<boolean> {
  const phone = world.phones[0] as Phone
  await phone.stop()
  world.driver.takeFrom(phone.settings.name)
  phone.start(point)
  await failDriver(world, phone)
  const { signal } = await phone.process.end('SIGTERM')
  restartPhone(world, phone)
  return signal === 'SIGKILL'
}

async function killService(world: World, point: Point): Promise<boolean> {
  const { service } = world
  const phone = world.phones[0] as Phone
  await service.process.end('SIGKILL')
  await service.start(point)
  await failDriver(world, phone)
  await phone.stop()
  const dead = await settlesWithin(1000, service.process.ended)
  if (!dead) await service.process.end('SIGKILL')
  await service.start()
  restartPhone(world, phone)
  return dead
}

/** Lets the driver fail, so that the phone has a message that it cannot send. */
async function failDriver({ driver }: World, phone: Phone): Promise<void> {
  await phone.begun()
  const before = phone.troubles
  driver.takeFrom(phone.settings.name)
  const deadline = performance.now() + maxWait
  while (phone.troubles === before && performance.now() < deadline) await sleep(10)
}

function restartPhone({ driver }: World, phone: Phone): void {
  driver.giveTo(phone.settings.name)
  phone.start()
}

function describe(fault: Fault): string {
  if ('point' in fault) return `release, ${fault.of} killed ${formatPoint(fault.point)}`
  const cut = fault.cut === undefined ? 'nothing cut' : `cut ${fault.cut} release`
  return `release after ${fault.of}, ${cut}`
}
