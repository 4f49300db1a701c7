import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../world/world.js'
import { type Effort, FaultCounter, type Faults } from './cell.js'

const pollInterval = 10
const maxWait = 30_000

/** Fills the relay's disk, or fails its syncs, until some requests were rejected. */
export async function fillDisk(world: World, { rounds, messages }: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, integrator } = world
  await load.until(5)
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    const target = integrator.refusals + 3 + world.random.below(10)
    world.setDisk('disk', state)
    const deadline = performance.now() + maxWait
    while (integrator.refusals < target && performance.now() < deadline) await sleep(pollInterval)
    counter.count(integrator.refusals >= target, `rejections while the disk is ${state}`)
    world.setDisk('disk', undefined)
    await load.until(load.accepted.length + 10)
  }
  await load.until(messages)
  return counter.faults
}

/** Does the same to the phones' disk: they send nothing that they cannot record. */
export async function fillPhoneDisk(world: World, { rounds, messages }: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, driver, phones, random } = world
  await load.until(5)
  await Promise.all(phones.map(phone => phone.begun()))
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    const earlier = phones.map(phone => phone.refusals)
    world.setDisk('phone-disk', state)
    const deadline = performance.now() + maxWait
    while (
      phones.some((phone, at) => phone.refusals === earlier[at]) &&
      performance.now() < deadline
    )
      await sleep(pollInterval)
    // A phone that could not record an attempt has not called its driver.
    const before = driver.sends().length
    await sleep(200 + random.below(400))
    const isIdle = driver.sends().length === before
    counter.count(isIdle, `idle phones while the disk is ${state}`)
    world.setDisk('phone-disk', undefined)
    await load.until(load.accepted.length + 10)
  }
  await load.until(messages)
  return counter.faults
}
