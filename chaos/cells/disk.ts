import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../world/world.js'
import { type Effort, type Faults, Tally } from './cell.js'

const lookEvery = 10
const patience = 8000

/** Takes the room on the service's disk, or has its syncs fail, until some requests were refused; and gives it back. */
export async function fillDisk(world: World, { rounds, messages }: Effort): Promise<Faults> {
  const tally = new Tally()
  const { load, integrator } = world
  await load.until(5)
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    const enough = integrator.refusals + 3 + world.random.below(10)
    world.setDisk('disk', state)
    const deadline = performance.now() + patience
    while (integrator.refusals < enough && performance.now() < deadline) await sleep(lookEvery)
    tally.note(integrator.refusals >= enough, `refusals while the disk is ${state}`)
    world.setDisk('disk', undefined)
    await load.until(load.accepted.length + 10)
  }
  await load.until(messages)
  return tally.faults
}

/** The same for the disk with the journals of the phones: they send nothing that they cannot note. */
export async function fillPhoneDisk(world: World, { rounds, messages }: Effort): Promise<Faults> {
  const tally = new Tally()
  const { load, driver, random } = world
  await load.until(5)
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    world.setDisk('phone-disk', state)
    await sleep(100)
    const before = driver.sends().length
    await sleep(200 + random.below(400))
    // A text whose intent was noted before may still have gone out.
    const stands = driver.sends().length === before
    tally.note(stands, `phones that stand still while the disk is ${state}`)
    world.setDisk('phone-disk', undefined)
    await load.until(load.accepted.length + 10)
  }
  await load.until(messages)
  return tally.faults
}
