import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../world/world.js'
import { type Effort, type Faults, Tally } from './cell.js'

const lookEvery = 10
const patience = 30_000

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
  const { load, driver, phones, random } = world
  await load.until(5)
  await Promise.all(phones.map(phone => phone.begun()))
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    const told = phones.map(phone => phone.refusals)
    world.setDisk('phone-disk', state)
    const deadline = performance.now() + patience
    while (phones.some((phone, at) => phone.refusals === told[at]) && performance.now() < deadline)
      await sleep(lookEvery)
    // A phone that was refused its intent has nothing in the driver.
    const before = driver.sends().length
    await sleep(200 + random.below(400))
    const stands = driver.sends().length === before
    tally.note(stands, `phones that stand still while the disk is ${state}`)
    world.setDisk('phone-disk', undefined)
    await load.until(load.accepted.length + 10)
  }
  await load.until(messages)
  return tally.faults
}
