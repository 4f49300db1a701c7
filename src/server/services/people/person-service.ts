// The people of an account: who signs in besides the account itself, and what they can do.
// - person-service: lists, changes and removes them, and their own e-mail address and password
// - invitation-service: invites somebody by a link, which works once
// - access: checks the role of a caller
// The role is read with each request, so a change takes effect at once, on all nodes.

import type { Account } from '../../../domain/account/account.js'
import { checkPassword } from '../../../domain/account/password.js'
import { type Invitation, type Person, type Role, roles } from '../../../domain/account/person.js'
import { addUses, getNextUseTime } from '../../../domain/account/usage-limit.js'
import { rateUnits } from '../../../domain/time/rate.js'
import { RelayError } from '../../../errors.js'
import { hashPassword } from '../../../util/crypto/password-hash.js'
import { checkEmail } from '../accounts/account-checks.js'
import type { AccountService } from '../accounts/account-service.js'
import { changeSecondFactor } from '../accounts/change-second-factor.js'
import { findSigner, type Signer, toLoginOwner } from '../accounts/signer.js'
import { tooManyAttemptsError } from '../accounts/too-many-attempts.js'
import type { ServiceContext } from '../service-context.js'

/** Changes of e-mail addresses in an account in a day, also to one that is taken. */
const dailyChanges = 5

export class PersonService {
  readonly #context: ServiceContext
  readonly #accounts: AccountService

  constructor(context: ServiceContext, accounts: AccountService) {
    this.#context = context
    this.#accounts = accounts
  }

  async list({ id }: Pick<Account, 'id'>): Promise<Person[]> {
    return await this.#context.store.people.list(id)
  }

  async get(account: Pick<Account, 'id'>, id: string): Promise<Person> {
    return requirePerson(await this.#context.store.people.get(id), account, id)
  }

  async getByEmail(email: string): Promise<Required<Signer>> {
    const { account, person } = (await findSigner(this.#context.store, email)) ?? {}
    if (account !== undefined && person !== undefined) return { account, person }
    throw new RelayError('not_found', `There is no person with the e-mail address ${email}.`, {
      hint:
        account === undefined
          ? 'List the people to see their addresses.'
          : 'It is the address of an account, which is always an admin.',
    })
  }

  /**
   * Changes what a person can do, from their next request on. The open invitations of somebody who
   * is no longer an admin are revoked.
   */
  async setRole(account: Pick<Account, 'id'>, id: string, role: Role): Promise<Person> {
    const checked = checkRole(role)
    const changed = await this.#change(account, id, person =>
      person.role === checked ? person : { ...person, role: checked },
    )
    if (checked !== 'admin') await this.#changeInvitations(changed, () => null)
    return changed
  }

  async remove(account: Pick<Account, 'id'>, id: string): Promise<Person> {
    let removed: Person | undefined
    await this.#context.store.people.change(id, person => {
      removed = requirePerson(person, account, id)
      return null
    })
    await this.#context.store.tokens.remove({ account: account.id, kind: 'login', person: id })
    const person = requirePerson(removed, account, id)
    await this.#changeInvitations(person, () => null)
    return person
  }

  /**
   * Turns off the second factor of a person who has lost it, and ends all logins of theirs.
   * @param by the person who does it; throws `invalid_state` if it is the same
   */
  async resetSecondFactor(account: Account, id: string, by?: Person): Promise<Person> {
    checkIsOther(id, by)
    const { store } = this.#context
    const person = await this.get(account, id)
    await changeSecondFactor(store, { account, person }, () => undefined)
    await store.tokens.remove({ account: account.id, kind: 'login', person: id })
    const { secondFactor: _, ...changed } = person
    return changed
  }

  /**
   * Changes the e-mail address of one who signs in. Throws `invalid_parameter`, and
   * `too_many_requests` after 5 in a day in the account: the error would tell which are taken.
   */
  async changeEmail({ account, person }: Signer, email: string): Promise<string> {
    const checked = checkEmail(email)
    await this.#countChange(account.id)
    if (person === undefined) return (await this.#accounts.change(account.email, { email })).email
    await this.#change(account, person.id, found => ({ ...found, email: checked }))
    await this.#changeInvitations(person, made => ({ ...made, by: checked }))
    return checked
  }

  /**
   * Sets the password of one who signs in, and ends all sessions and tokens of theirs. Throws
   * `invalid_parameter`.
   */
  async setPassword({ account, person }: Signer, password: string): Promise<void> {
    if (person === undefined) {
      await this.#accounts.setPassword(account.email, password)
      return
    }
    const checked = await checkPassword(password)
    const passwordHash = await hashPassword(checked, this.#context.passwordCost)
    await this.#change(account, person.id, found => ({ ...found, passwordHash }))
    await this.#context.store.tokens.remove(toLoginOwner({ account, person }))
  }

  async #countChange(account: string): Promise<void> {
    const { store, clock } = this.#context
    const now = clock.now()
    const limit = { uses: dailyChanges, per: 'd' } as const
    await store.limits.change('email change', account, now + rateUnits.d, (recent = []) => {
      const wait = getNextUseTime(recent, limit, now) - now
      if (wait > 0) throw tooManyAttemptsError('changes of the e-mail address', wait)
      return addUses(recent, limit, now)
    })
  }

  /** Changes the open invitations that a person has made; null revokes one. */
  async #changeInvitations(
    { account, email }: Person,
    decide: (made: Invitation) => Invitation | null,
  ): Promise<void> {
    const { invitations } = this.#context.store
    const made = (await invitations.list(account)).filter(({ by }) => by === email)
    for (const { id } of made)
      await invitations.change(id, current => (current === undefined ? null : decide(current)))
  }

  async #change(
    account: Pick<Account, 'id'>,
    id: string,
    decide: (person: Person) => Person,
  ): Promise<Person> {
    const changed = await this.#context.store.people.change(id, person =>
      decide(requirePerson(person, account, id)),
    )
    return requirePerson(changed, account, id)
  }
}

export function checkRole(role: string): Role {
  const found = roles.find(each => each === role)
  if (found !== undefined) return found
  throw new RelayError('invalid_parameter', `\`role\` must be one of ${roles.join(', ')}.`)
}

/** One's own second factor is changed with password and code. Throws `invalid_state`. */
export function checkIsOther(id: string, by: Person | undefined): void {
  if (id !== by?.id) return
  throw new RelayError('invalid_state', 'This is your own second factor.', {
    hint: 'Change it on the dashboard, on the page Security.',
  })
}

function requirePerson(
  person: Person | undefined,
  account: Pick<Account, 'id'>,
  id: string,
): Person {
  if (person !== undefined && person.account === account.id) return person
  throw new RelayError('not_found', `There is no person ${id} in this account.`)
}
