export type {
  AccountDraft,
  Administration,
  KeyChoice,
  RotatedKeys,
} from './admin/administration.js'
export type { EventPage, EventSelection, FollowEventsOptions } from './client/event-client.js'
export type { StreamNotice } from './client/event-stream.js'
export type { ImportOptions, ReceivedSelection } from './client/inbox-client.js'
export {
  type BlockOptions,
  type CallOptions,
  type IdempotentOptions,
  type NextOptions,
  type PhoneIdentity,
  RelayClient,
  type RelayClientOptions,
} from './client/relay-client.js'
export type { Credentials } from './client/transport.js'
export type { RelaySettings } from './config/config.js'
export type { AccountFields, NewAccount } from './contract/account.js'
export type { BlocklistFields, BlocklistImportReply, ImportedEntry } from './contract/blocklist.js'
export type { DeliveryFields, DeliveryFilterInput } from './contract/delivery.js'
export type { EventFields } from './contract/event-reply.js'
export type {
  CreatedMailboxFields,
  MailboxCreateInput,
  MailboxFields,
} from './contract/mailbox.js'
export type {
  FailureReport,
  ListFilterInput,
  MessageCreate,
  MessageEdit,
  MessageFields,
} from './contract/message.js'
export type { PhoneFields, PresenceReport, QueueFields } from './contract/phone.js'
export type { ReceivedFields, ReceivedReport } from './contract/received.js'
export type { SecretUrlFields, SecretUrlInput } from './contract/secret-url.js'
export type { CountedFields, StatisticsFields } from './contract/statistics-reply.js'
export type {
  SubscriptionCreateInput,
  SubscriptionEdit,
  SubscriptionFields,
} from './contract/subscription.js'
export type { TokenReply } from './contract/user.js'
export { type ErrorCode, errorCodes, RelayError } from './errors.js'
export {
  type AdministrationOptions,
  createRelay,
  openAdministration,
  type Relay,
  type RelayOverrides,
} from './relay.js'
