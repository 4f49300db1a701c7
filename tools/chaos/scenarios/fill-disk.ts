import { setTimeout as sleep } from 'node:timers/promises'
import type { Harness } from '../harness/harness.js'
import { type Effort, FaultCounter, type Faults } from './scenario.js'

const pollInterval = 10
const timeLimit = 30_000

/**
 * Fills the relay's disk, or makes its syncs fail, until some requests are refused; then repairs
 * it.
 */
export async function fillDisk(harness: Harness, { rounds, messages }: Effort): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, integrator } = harness
  await load.waitForAccepted(5)
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    const enough = integrator.refusals + 3 + harness.random.below(10)
    harness.setDisk('disk', state)
    const deadline = performance.now() + timeLimit
    while (integrator.refusals < enough && performance.now() < deadline) await sleep(pollInterval)
    counter.count(integrator.refusals >= enough, `refusals while the disk is ${state}`)
    harness.setDisk('disk', undefined)
    await load.waitForAccepted(load.accepted.length + 10)
  }
  await load.waitForAccepted(messages)
  return counter.faults
}

/**
 * The same for the disk of the phones' journals: they must send nothing that they cannot record.
 */
export async function fillPhoneDisk(
  harness: Harness,
  { rounds, messages }: Effort,
): Promise<Faults> {
  const counter = new FaultCounter()
  const { load, driver, phones, random } = harness
  await load.waitForAccepted(5)
  await Promise.all(phones.map(phone => phone.waitUntilReady()))
  for (let round = 0; round < rounds * 2; round += 1) {
    const state = round % 2 === 0 ? 'full' : 'failing'
    const told = phones.map(phone => phone.journalErrors)
    harness.setDisk('phone-disk', state)
    const deadline = performance.now() + timeLimit
    while (
      phones.some((phone, at) => phone.journalErrors === told[at]) &&
      performance.now() < deadline
    )
      await sleep(pollInterval)
    // A phone that could not record an attempt does not call the driver.
    const before = driver.readSends().length
    await sleep(200 + random.below(400))
    const stands = driver.readSends().length === before
    counter.count(stands, `phones that stand still while the disk is ${state}`)
    harness.setDisk('phone-disk', undefined)
    await load.waitForAccepted(load.accepted.length + 10)
  }
  await load.waitForAccepted(messages)
  return counter.faults
}
