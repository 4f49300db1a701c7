import { setTimeout as sleep } from 'node:timers/promises'
import type { Point } from '../inside/point.js'
import { assertEndedWell, type Phone } from '../world/phone.js'
import type { Cut } from '../world/proxy.js'
import type { World } from '../world/world.js'
import { type Effort, type Faults, settlesWithin, Tally } from './cell.js'
import { inWords, phoneReleasePoints, releasePoints } from './points.js'

/** What is wrong while the first phone is stopped with a message that it is to give back. */
type Fault =
  /** It crossed the stop, or the program that sends was away; what is lost of the requests to give it back. */
  | { readonly of: 'crossing' | 'trouble'; readonly cut?: Cut }
  /** The phone or the service is killed at that. */
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

const patience = 20_000
const tries = 8
/** Milliseconds of late answers, after which messages wait and a NEXT is on its way most of the time. */
const crossing = 600

/** Stops the first phone with something to give back while each of these goes wrong, and starts it again, under load. */
export async function giveBack(world: World, { rounds, messages, most }: Effort): Promise<Faults> {
  const tally = new Tally()
  const { random, load } = world
  await load.until(5)
  for (let round = 0; round < rounds; round += 1) {
    for (const fault of random.shuffled(faults).slice(0, most)) {
      tally.note(await happens(world, fault), words(fault))
      load.allowance += 1
    }
  }
  await load.until(messages)
  return tally.faults
}

async function happens(world: World, fault: Fault): Promise<boolean> {
  if (fault.of === 'service') return await killService(world, fault.point)
  if (fault.of === 'phone') return await killPhone(world, fault.point)
  for (let left = tries; left > 0; left -= 1) if (await stopsWith(world, fault)) return true
  return false
}

/** Whether there was something to give back. */
async function stopsWith(world: World, { of, cut }: { of: string; cut?: Cut }): Promise<boolean> {
  const { proxy, random } = world
  const phone = world.phones[0] as Phone
  let asked = false
  if (of === 'trouble') await troubled(world, phone)
  proxy.decide = kind => {
    if (kind === 'next' && of === 'crossing') return 'late'
    if (kind !== 'release') return undefined
    asked = true
    return cut
  }
  await phone.begun()
  if (of === 'crossing') await sleep(crossing + random.below(crossing))
  const end = await phone.process.end('SIGTERM')
  assertEndedWell(end, `The phone ${phone.settings.name}`, phone.process)
  proxy.decide = () => undefined
  again(world, phone)
  return asked
}

async function killPhone(world: World, point: Point): Promise<boolean> {
  const phone = world.phones[0] as Phone
  await phone.stop()
  world.driver.takeFrom(phone.settings.name)
  phone.start(point)
  await troubled(world, phone)
  const { signal } = await phone.process.end('SIGTERM')
  again(world, phone)
  return signal === 'SIGKILL'
}

async function killService(world: World, point: Point): Promise<boolean> {
  const { service } = world
  const phone = world.phones[0] as Phone
  await service.process.end('SIGKILL')
  await service.start(point)
  await troubled(world, phone)
  await phone.stop()
  const dead = await settlesWithin(1000, service.process.ended)
  if (!dead) await service.process.end('SIGKILL')
  await service.start()
  again(world, phone)
  return dead
}

/** Has a phone hold a message that it cannot send. */
async function troubled({ driver }: World, phone: Phone): Promise<void> {
  await phone.begun()
  const before = phone.troubles
  driver.takeFrom(phone.settings.name)
  const deadline = performance.now() + patience
  while (phone.troubles === before && performance.now() < deadline) await sleep(10)
}

function again({ driver }: World, phone: Phone): void {
  driver.giveTo(phone.settings.name)
  phone.start()
}

function words(fault: Fault): string {
  if ('point' in fault) return `giving back, ${fault.of} killed ${inWords(fault.point)}`
  const cut = fault.cut === undefined ? 'nothing cut' : `cut ${fault.cut} release`
  return `giving back after ${fault.of}, ${cut}`
}
