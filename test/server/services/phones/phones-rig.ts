import { onTestFinished } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Caller } from '../../../../src/server/services/accounts/token-service.js'
import { PhoneService } from '../../../../src/server/services/phones/phone-service.js'
import { hour, World } from '../world.js'

export const day = 24 * hour

/** An account with its phones. */
export async function openPhones() {
  const world = await World.open()
  const account = await world.account()
  const phones = new PhoneService(world.context)
  const caller = (holder: string, of: Account = account): Caller => {
    return { account: of, holder, kind: 'app', role: 'admin' }
  }
  /** A NEXT with an immediate reply. */
  const next = (name: string, driver = 'modem') =>
    phones.trackNext(caller(name), { name, driver })()
  const names = async (service = phones) => (await service.list(account)).map(phone => phone.name)
  return { world, account, phones, caller, next, names }
}

export async function restart({ world }: { world: World }): Promise<PhoneService> {
  await world.restart()
  return new PhoneService(world.context)
}

/** Counts the records of phones that are written from now on. */
export function countWrites(world: World): () => number {
  let writes = 0
  const { phones } = world.store
  const { change } = phones
  phones.change = async (...parameters) => {
    writes += 1
    return await change.apply(phones, parameters)
  }
  onTestFinished(() => {
    phones.change = change
  })
  return () => writes
}
