// The client of a relay: one object whose parts have one method for each route.
//
// 1. A part (message-client.ts, subscription-client.ts, event-client.ts, …) names the route, its
//    query or body, and the schema of the reply.
// 2. transport.ts adds the token, issues a new one if the relay rejects it, and checks the reply.
// 3. request-sender.ts sends the request, with retries, over net/client.
// 4. api-error.ts turns errors and replies other than 2xx into RelayError.
//
// call-options.ts has the options of calls; event-stream/ follows the event stream.
import {
  type SettingsEdit,
  type SettingsFields,
  settingsReply,
} from '../contract/account-schema.js'
import { phoneHeaders } from '../contract/phone-schema.js'
import type { SecretUrlInput } from '../contract/secret-url/secret-url-schema.js'
import { anyReply, type TokenReply, userAppReply, userReply } from '../contract/user-schema.js'
import { isPhoneLabel } from '../domain/phone/phone-status.js'
import { RelayError } from '../errors.js'
import { invitation, person } from '../resources/person.js'
import { type SecretUrlFields, secretUrl } from '../resources/secret-url.js'
import { AccountClient } from './account-client.js'
import type { CallOptions } from './call-options.js'
import { ContactClient } from './contact-client.js'
import { DoNotTextClient } from './do-not-text-client.js'
import { EventClient } from './event-client.js'
import { MessageClient } from './message-client.js'
import { ReceivedTextClient } from './received-text-client.js'
import { createResourceClient, type ResourceClient, ResourceClients } from './resource-client.js'
import { AuditClient, StatusClient } from './status-client.js'
import { SubscriptionClient } from './subscription-client.js'
import { Transport, type TransportOptions } from './transport.js'

/** How a phone identifies itself to its relay (extension). */
export interface PhoneIdentity {
  /** Name by which the client identifies its phone: 1 to 64 printable ASCII characters. */
  readonly name: string
  /** Name by which the client identifies the phone's driver, in the same form. */
  readonly driver?: string | undefined
}

/** Options of a relay's client. */
export interface RelayClientOptions extends TransportOptions {
  /** The phone that sends NEXT, reports and presence (extension). @default nothing is sent */
  readonly phone?: PhoneIdentity
}

interface SecretUrlClient extends ResourceClient<typeof secretUrl> {
  /** Only this reply has the `url`. */
  create(json: SecretUrlInput, options?: CallOptions): Promise<SecretUrlFields>
}

/** A client of a relay; every method throws RelayError (docs/reference/interface.md 4). */
export class RelayClient extends ResourceClients {
  readonly messages: MessageClient
  readonly subscriptions: SubscriptionClient
  readonly events: EventClient
  readonly receivedTexts: ReceivedTextClient
  readonly doNotText: DoNotTextClient
  readonly contacts: ContactClient
  readonly secretUrls: SecretUrlClient
  readonly audit: AuditClient
  readonly status: StatusClient
  readonly accounts: AccountClient
  readonly people: ResourceClient<typeof person>
  readonly invitations: ResourceClient<typeof invitation>
  readonly #transport: Transport

  /** Creates the client. Throws `usage` for an invalid phone name or driver. */
  constructor(options: RelayClientOptions) {
    const transport = new Transport(options)
    super(transport)
    const headers = createPhoneHeaders(options.phone)
    this.messages = new MessageClient(transport, headers)
    this.subscriptions = new SubscriptionClient(transport)
    this.events = new EventClient(transport)
    this.receivedTexts = new ReceivedTextClient(transport, options.phone?.name)
    this.doNotText = new DoNotTextClient(transport)
    this.contacts = new ContactClient(transport)
    this.secretUrls = createResourceClient(transport, secretUrl)
    this.audit = new AuditClient(transport)
    this.status = new StatusClient(transport, headers)
    this.accounts = new AccountClient(transport)
    this.people = createResourceClient(transport, person)
    this.invitations = createResourceClient(transport, invitation)
    this.#transport = transport
  }

  /** Base address of the relay that the client calls, without a slash at its end. */
  get url(): string {
    return this.#transport.url
  }

  /** GET /oauth: signs in with the client's keys; the token is new. Throws `invalid_client`. */
  async issueToken(options: CallOptions = {}): Promise<TokenReply> {
    return await this.#transport.issueToken(options.signal)
  }

  /** GET /oauth/revoke: revokes a token, also one of another client. */
  async revokeToken(token: string, options: CallOptions = {}): Promise<void> {
    const call = { query: { token }, ...options }
    await this.#transport.callWithoutToken('GET', '/oauth/revoke', anyReply, call)
  }

  /** GET /user: the e-mail address of the account. */
  async getUser(options: CallOptions = {}): Promise<{ email: string }> {
    return (await this.#transport.call('GET', '/user', userReply, options)).user
  }

  /** GET /user/settings: the account's settings. */
  async getSettings(options: CallOptions = {}): Promise<SettingsFields> {
    return (await this.#transport.call('GET', '/user/settings', settingsReply, options)).settings
  }

  /** PATCH /user/settings: sets automatic replies; an empty text switches one off. */
  async editSettings(json: SettingsEdit, options: CallOptions = {}): Promise<SettingsFields> {
    const call = { json, repeatable: true, ...options }
    return (await this.#transport.call('PATCH', '/user/settings', settingsReply, call)).settings
  }

  /** GET /user/app: the keys of the phone application; requires a User Login token. */
  async getUserApp(options: CallOptions = {}): Promise<{ app_key: string; secret_key: string }> {
    return (await this.#transport.call('GET', '/user/app', userAppReply, options)).user
  }
}

function createPhoneHeaders(phone: PhoneIdentity | undefined): Record<string, string> {
  if (phone === undefined) return {}
  const { name, driver } = phone
  for (const label of [name, driver]) {
    if (label === undefined || isPhoneLabel(label)) continue
    throw new RelayError(
      'usage',
      `The name of a phone or driver must have 1 to 64 printable ASCII characters: ${label}`,
    )
  }
  return {
    [phoneHeaders.name]: name,
    ...(driver === undefined ? {} : { [phoneHeaders.driver]: driver }),
  }
}
