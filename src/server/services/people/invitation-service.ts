import type { Account } from '../../../domain/account/account.js'
import { checkPassword } from '../../../domain/account/password.js'
import {
  type Invitation,
  invitationLifetime,
  type Person,
  type Role,
} from '../../../domain/account/person.js'
import { addUses, getNextUseTime } from '../../../domain/account/usage-limit.js'
import { getAccountLimit, tooManyRecordsError } from '../../../domain/account-limits.js'
import { rateUnits } from '../../../domain/time/rate.js'
import { RelayError } from '../../../errors.js'
import { hashPassword } from '../../../util/crypto/password-hash.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import { emailTakenError, normalizeEmail } from '../../store/account-store.js'
import { checkEmail } from '../accounts/account-checks.js'
import { findSigner } from '../accounts/signer.js'
import { tooManyAttemptsError } from '../accounts/too-many-attempts.js'
import type { OutgoingMail } from '../automatic-mail.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import { checkRole } from './person-service.js'

/** Invitations of an account in a day, and those of them to one address. */
const dailyInvitations = { account: 50, address: 5 }

/** Mails of all accounts to one address in a day: others are invited by the link alone. */
const dailyMails = 10

export interface InvitationDraft {
  readonly email: string
  readonly role: Role
  /** The e-mail address of the person who invites; absent: the operator of the relay. */
  readonly by?: string | undefined
  readonly formatLink: (secret: string) => string
}

export interface CreatedInvitation {
  readonly invitation: Invitation
  readonly link: string
  /**
   * Whether the link was sent to the e-mail address; undefined if the relay sends no mail, or has
   * no address of its own.
   */
  readonly isMailed?: boolean
}

export class InvitationService {
  readonly #context: ServiceContext
  readonly #sendMail: ((mail: OutgoingMail) => Promise<void>) | undefined

  constructor(context: ServiceContext, sendMail?: (mail: OutgoingMail) => Promise<void>) {
    this.#context = context
    this.#sendMail = sendMail
  }

  /** Lists the invitations of an account that can still be accepted, oldest first. */
  async list({ id }: Pick<Account, 'id'>): Promise<Invitation[]> {
    const all = await this.#context.store.invitations.list(id)
    return all.filter(each => !this.#isExpired(each))
  }

  /**
   * Checks the address and the role of an invitation to an account. An address that signs in to
   * another account is an error only for who accepts: the error would tell the account of others.
   */
  async check(
    { id }: Pick<Account, 'id'>,
    draft: { readonly email: string; readonly role: string },
  ) {
    const email = checkEmail(draft.email.trim())
    const role = checkRole(draft.role)
    const signer = await findSigner(this.#context.store, email)
    if (signer?.account.id === id) throw emailTakenError({ email })
    return { email, role }
  }

  /**
   * Invites somebody: a link that works once, for seven days, and replaces an earlier invitation of
   * the address. Throws `invalid_parameter` as {@link check} does, and `too_many_requests` after 50
   * in a day, or 5 to the address, that people of the account made.
   */
  async create(account: Account, draft: InvitationDraft): Promise<CreatedInvitation> {
    const { store, clock } = this.#context
    const { email, role } = await this.check(account, draft)
    await this.#assertRoom(account.id)
    if (draft.by !== undefined) await this.#count(account, email)
    await this.#removeEarlier(account, email)
    const secret = createSecret('sri_')
    const createdAt = clock.now()
    const invitation: Invitation = {
      ...{ id: hashText(secret), account: account.id, email, role, createdAt },
      ...(draft.by === undefined ? {} : { by: draft.by }),
      expiresAt: createdAt + invitationLifetime,
    }
    await createAccountRecord(store, store.invitations, invitation)
    const link = draft.formatLink(secret)
    return { invitation, link, ...(await this.#send(account, email, link)) }
  }

  async revoke(account: Pick<Account, 'id'>, id: string): Promise<Invitation> {
    const found = await this.#take(id, each => each.account === account.id)
    if (found !== undefined) return found
    throw new RelayError('not_found', 'There is no such invitation. It may have been accepted.')
  }

  async find(secret: string): Promise<Invitation | undefined> {
    const found = await this.#context.store.invitations.get(hashText(secret))
    return found === undefined || this.#isExpired(found) ? undefined : found
  }

  /**
   * Makes the invited person. Addresses are not verified, so somebody else may sign in with theirs
   * already; they can then choose another. Throws `not_found`, `invalid_parameter`.
   */
  async accept(secret: string, password: string, chosen?: string | undefined): Promise<Person> {
    const { store, clock, passwordCost, newId } = this.#context
    // A stranger can send any link, and a hash is expensive.
    const found = await this.find(secret)
    if (found === undefined) throw invitationError()
    const email = chosen === undefined ? found.email : checkEmail(chosen)
    if ((await findSigner(store, email)) !== undefined) throw emailTakenError({ email })
    await this.#assertRoom(found.account)
    const checked = await checkPassword(password)
    const passwordHash = await hashPassword(checked, passwordCost)
    const invitation = await this.#take(hashText(secret), each => !this.#isExpired(each))
    if (invitation === undefined) throw invitationError()
    const { account, role } = invitation
    const person: Person = {
      ...{ id: newId(), account, email, passwordHash, role, createdAt: clock.now() },
    }
    await createAccountRecord(store, store.people, person)
    return person
  }

  /** Throws `invalid_state` before an invitation is used up that no person can come from. */
  async #assertRoom(account: string): Promise<void> {
    const { accounts, people } = this.#context.store
    const max = getAccountLimit((await accounts.get(account))?.limits, 'people')
    if ((await people.count(account)) >= max) throw tooManyRecordsError('people', max)
  }

  /** Counts the address first, so that one refused for it does not count for the account. */
  async #count({ id }: Account, email: string): Promise<void> {
    await this.#countUse(hashText(`${id} ${normalizeEmail(email)}`), dailyInvitations.address)
    await this.#countUse(id, dailyInvitations.account)
  }

  async #countUse(key: string, uses: number): Promise<void> {
    const { store, clock } = this.#context
    const now = clock.now()
    await store.limits.change('invitation', key, now + rateUnits.d, (recent = []) => {
      const wait = getNextUseTime(recent, { uses, per: 'd' }, now) - now
      if (wait > 0) throw tooManyAttemptsError('invitations', wait)
      return addUses(recent, { per: 'd' }, now)
    })
  }

  async #removeEarlier({ id }: Account, email: string): Promise<void> {
    const { store } = this.#context
    const invitations = await store.invitations.list(id)
    const isOld = (each: Invitation) =>
      this.#isExpired(each) || normalizeEmail(each.email) === normalizeEmail(email)
    const old = invitations.filter(isOld)
    for (const each of old) await store.invitations.change(each.id, () => null)
  }

  /** Removes an invitation; of several requests at once, one gets it. */
  async #take(
    id: string,
    matches: (invitation: Invitation) => boolean,
  ): Promise<Invitation | undefined> {
    let taken: Invitation | undefined
    await this.#context.store.invitations.change(id, current => {
      taken = current !== undefined && matches(current) ? current : undefined
      return taken === undefined ? (current ?? null) : null
    })
    return taken
  }

  async #send(account: Account, to: string, link: string): Promise<{ isMailed?: boolean }> {
    const sendMail = this.#sendMail
    if (sendMail === undefined) return {}
    const text =
      `You are invited to the smsrelay account ${account.email}.\n\n` +
      `Choose a password here; the link works once, for seven days:\n${link}\n`
    const mail = { to, subject: 'Your invitation to smsrelay', text }
    try {
      await this.#countUse(hashText(normalizeEmail(to)), dailyMails)
      await sendMail(mail)
      return { isMailed: true }
    } catch {
      return { isMailed: false }
    }
  }

  #isExpired({ expiresAt }: Invitation): boolean {
    return expiresAt <= this.#context.clock.now()
  }
}

function invitationError(): RelayError {
  return new RelayError('not_found', 'This invitation does not work any more.', {
    hint: 'Ask the person who sent it to invite you again.',
  })
}
