import {
  type AccountLimitFields,
  type AccountLimitsEdit,
  accountLimitsReply,
} from '../contract/account/account-limit-schema.js'
import { getSchemas } from '../contract/schema/resource-schema.js'
import { type PersonFields, person } from '../resources/person.js'
import type { CallOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** The client's part for the limits of accounts, and for second factors. */
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

  /** DELETE /person/<id>/second-factor: for a person who has lost it; needs a User Login token. */
  async resetSecondFactor(id: string, options: CallOptions = {}): Promise<PersonFields> {
    const path = `/person/${encodeURIComponent(id)}/second-factor`
    return (await this.#transport.call('DELETE', path, getSchemas(person).reply, options)).person
  }
}

function formatLimitsPath(email: string): string {
  return `/account/${encodeURIComponent(email)}/limits`
}
