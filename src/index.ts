export type {
  CallOptions,
  IdempotentOptions,
  NextOptions,
  Tagged,
  VersionOptions,
} from './client/call-options.js'
export type { DoNotTextImportOptions, DoNotTextOptions } from './client/do-not-text-client.js'
export type { EventPage, EventSelection, FollowEventsOptions } from './client/event-client.js'
export type { StreamNotice } from './client/event-stream/event-stream-reader.js'
export type { ReceivedTextSelection } from './client/received-text-client.js'
export {
  type PhoneIdentity,
  RelayClient,
  type RelayClientOptions,
} from './client/relay-client.js'
export type { Credentials } from './client/transport.js'
export type {
  AccountFields,
  NewAccount,
  SettingsEdit,
  SettingsFields,
} from './contract/account-schema.js'
export type {
  DoNotTextFields,
  DoNotTextImportReply,
  ImportedEntry,
} from './contract/do-not-text-schema.js'
export type { EventFields } from './contract/event-schema.js'
export type {
  FailureReport,
  ListFilterInput,
  MessageCreate,
  MessageEdit,
  MessageFields,
} from './contract/message-schema.js'
export type { PhoneFields, PresenceReport, QueueFields } from './contract/phone-schema.js'
export type { ReceivedTextFields, ReceivedTextReport } from './contract/received-text-schema.js'
export type { SecretUrlInput } from './contract/secret-url/secret-url-schema.js'
export type { CountedFields, StatisticsFields } from './contract/statistics/statistics-schema.js'
export type { StatusFields } from './contract/status-schema.js'
export type {
  SubscriptionCreateInput,
  SubscriptionEdit,
  SubscriptionFields,
} from './contract/subscription-schema.js'
export type { TokenReply } from './contract/user-schema.js'
export type { DeliveryFields, DeliveryFilterInput } from './contract/webhook/delivery-schema.js'
export { type ErrorCode, errorCodes, RelayError } from './errors.js'
export type { GroupFields } from './resources/group.js'
export type { MailboxFields, MailboxInput } from './resources/mailbox.js'
export type { SecretUrlFields } from './resources/secret-url.js'
export type { TemplateFields } from './resources/template.js'
export type {
  AccountDraft,
  Administration,
  KeyKind,
  RotatedKeys,
} from './server/admin/administration.js'
export type { RelaySettings } from './server/config/relay-config.js'
export type { Log, LogError, LogFields } from './server/log/log.js'
export {
  type AdministrationOptions,
  createRelay,
  openAdministration,
  type Relay,
  type RelayOverrides,
} from './server/open-relay.js'
