import type { SecondFactor } from '../../../domain/account/second-factor.js'
import type { Store } from '../../store/store.js'
import type { Signer } from './signer.js'

export function getSecondFactor({ account, person }: Signer): SecondFactor | undefined {
  return (person ?? account).secondFactor
}

export async function changeSecondFactor(
  { accounts, people }: Pick<Store, 'accounts' | 'people'>,
  { account, person }: Signer,
  decide: Decide,
): Promise<SecondFactor | undefined> {
  const changed =
    person === undefined
      ? await accounts.change(account.id, current => replace(current, decide))
      : await people.change(person.id, current => (current ? replace(current, decide) : null))
  return changed?.secondFactor
}

type Decide = (factor: SecondFactor | undefined) => SecondFactor | undefined

function replace<T extends { readonly secondFactor?: SecondFactor }>(holder: T, decide: Decide): T {
  const { secondFactor, ...others } = holder
  const decided = decide(secondFactor)
  if (decided === secondFactor) return holder
  return (decided === undefined ? others : { ...others, secondFactor: decided }) as T
}
