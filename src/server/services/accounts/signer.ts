import type { Account, Token } from '../../../domain/account/account.js'
import type { Person, Role } from '../../../domain/account/person.js'
import type { TokenOwner } from '../../store/account-store.js'
import type { Store } from '../../store/store.js'

/** Who signs in with an e-mail address: the account itself, its first admin, or a person of it. */
export interface Signer {
  readonly account: Account
  /** Absent: the account's own e-mail address. */
  readonly person?: Person
}

/** The owner of the User Login tokens of one who signs in. */
export function toLoginOwner({ account, person }: SignerId): TokenOwner {
  return { account: account.id, kind: 'login', ...(person && { person: person.id }) }
}

interface SignerId {
  readonly account: Pick<Account, 'id'>
  readonly person?: Pick<Person, 'id'> | undefined
}

type SignerStore = Pick<Store, 'accounts' | 'people'>

/** Finds who signs in with an e-mail address, whose case is ignored. */
export async function findSigner(
  { accounts, people }: SignerStore,
  email: string,
): Promise<Signer | undefined> {
  const account = await accounts.findByEmail(email)
  if (account !== undefined) return { account }
  return await withAccount({ accounts }, await people.findByEmail(email))
}

export async function findSignerById(
  { accounts, people }: SignerStore,
  id: string,
): Promise<Signer | undefined> {
  const account = await accounts.get(id)
  if (account !== undefined) return { account }
  return await withAccount({ accounts }, await people.get(id))
}

/** Finds the one for whom a token was issued; undefined if they are removed. */
export async function findTokenSigner(
  { accounts, people }: SignerStore,
  { account: id, person: personId }: Token,
): Promise<Signer | undefined> {
  const account = await accounts.get(id)
  if (account === undefined || personId === undefined) return account && { account }
  const person = await people.get(personId)
  return person && { account, person }
}

async function withAccount(
  { accounts }: Pick<Store, 'accounts'>,
  person: Person | undefined,
): Promise<Signer | undefined> {
  const account = person && (await accounts.get(person.account))
  return person && account && { account, person }
}

export function getSignerId({ account, person }: Signer): string {
  return (person ?? account).id
}

export function getSignerEmail({ account, person }: Signer): string {
  return (person ?? account).email
}

export function getPasswordHash({ account, person }: Signer): string {
  return (person ?? account).passwordHash
}

export function getRole({ person }: Signer): Role {
  return person?.role ?? 'admin'
}
