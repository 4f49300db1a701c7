import {
  type AccountLimitFields,
  type AccountLimitsEdit,
  accountLimitsReply,
} from '../contract/account/account-limit-schema.js'
import {
  type CreatedInvitationFields,
  type InvitationFields,
  invitationIdReply,
  invitationListReply,
  invitationReply,
  type PersonFields,
  personIdReply,
  personListReply,
  personReply,
} from '../contract/account/person-schema.js'
import type { Role } from '../domain/account/person.js'
import type { CallOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** The client's part for the limits and the people of accounts. */
export class AccountClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /user/limits: the limits of the account, or of another one, which only the owner reads. */
  async getLimits(email?: string, options: CallOptions = {}): Promise<AccountLimitFields> {
    const path = email === undefined ? '/user/limits' : formatLimitsPath(email)
    return (await this.#transport.call('GET', path, accountLimitsReply, options)).limits
  }

  /** PATCH /account/<email>/limits: changes limits; only for the owner. Null removes one. */
  async editLimits(
    email: string,
    changes: AccountLimitsEdit,
    options: CallOptions = {},
  ): Promise<AccountLimitFields> {
    const call = { json: changes, ...options }
    const path = formatLimitsPath(email)
    return (await this.#transport.call('PATCH', path, accountLimitsReply, call)).limits
  }

  /** GET /person: the people who sign in to the account, with their roles. */
  async listPeople(options: CallOptions = {}): Promise<PersonFields[]> {
    const pages = await this.#transport.readPages('/person', personListReply, options)
    return pages.flatMap(page => page.people.map(each => each.person))
  }

  /** PATCH /person/<id>: changes what a person can do; needs a User Login token. */
  async setRole(id: string, role: Role, options: CallOptions = {}): Promise<PersonFields> {
    const call = { json: { role }, ...options }
    return (await this.#transport.call('PATCH', formatPersonPath(id), personReply, call)).person
  }

  /** DELETE /person/<id>: removes a person and ends their sessions; needs a User Login token. */
  async removePerson(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', formatPersonPath(id), personIdReply, options)
  }

  /** DELETE /person/<id>/second-factor: for a person who has lost it; needs a User Login token. */
  async resetSecondFactor(id: string, options: CallOptions = {}): Promise<PersonFields> {
    const path = `${formatPersonPath(id)}/second-factor`
    return (await this.#transport.call('DELETE', path, personReply, options)).person
  }

  /** GET /invitation: the invitations that nobody has accepted, without their links. */
  async listInvitations(options: CallOptions = {}): Promise<InvitationFields[]> {
    const pages = await this.#transport.readPages('/invitation', invitationListReply, options)
    return pages.flatMap(page => page.invitations.map(each => each.invitation))
  }

  /** POST /invitation: invites a person; only this reply has the link. Needs a User Login token. */
  async invite(
    email: string,
    role: Role,
    options: CallOptions = {},
  ): Promise<CreatedInvitationFields> {
    const call = { json: { email, role }, ...options }
    return (await this.#transport.call('POST', '/invitation', invitationReply, call)).invitation
  }

  /** DELETE /invitation/<id>: makes the link useless; needs a User Login token. */
  async revokeInvitation(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/invitation/${encodeURIComponent(id)}`
    await this.#transport.call('DELETE', path, invitationIdReply, options)
  }
}

function formatLimitsPath(email: string): string {
  return `/account/${encodeURIComponent(email)}/limits`
}

function formatPersonPath(id: string): string {
  return `/person/${encodeURIComponent(id)}`
}
