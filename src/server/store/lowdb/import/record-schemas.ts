import { z } from 'zod'
import {
  type Account,
  type DoNotTextEntry,
  type DoNotTextReason,
  deliveryModes,
  type PreviousSecret,
  type Token,
  type TokenKind,
  type TokenLogin,
} from '../../../../domain/account/account.js'
import { limits } from '../../../../domain/limits.js'
import { attemptsPattern, leasesPattern } from '../../../../domain/message/attempts.js'
import { deliveryPattern } from '../../../../domain/message/delivery-status.js'
import {
  type Lease,
  type Message,
  maxAttempts,
  type Status,
  sources,
} from '../../../../domain/message/message.js'
import type { DeletedCounts } from '../../../../domain/message/message-counts.js'
import type { OptOutKeyword } from '../../../../domain/phone/opt-out-keywords.js'
import type { ReceivedText, ReceivedTextKey } from '../../../../domain/phone/received-text.js'
import { isCountry } from '../../../../domain/sms/phone-number.js'
import { isTimeZone } from '../../../../domain/time/zoned-time.js'
import { eventNames, type RelayEvent } from '../../../../domain/webhook/event.js'
import {
  onExhaustedChoices,
  type PauseReason,
  type PauseState,
  type Subscription,
} from '../../../../domain/webhook/subscription.js'
import type { SubscriptionListener } from '../../../../domain/webhook/subscription-listener.js'
import type { RetryState, SettledEvent } from '../../../../domain/webhook/tried-events.js'
import type { StoredResult } from '../../message-store.js'
import type { Kind, Records } from '../records/collections.js'
import {
  accountLimits,
  capability,
  contact,
  invitation,
  mailbox,
  person,
  phone,
  resourceSchemas,
} from './account-record-schemas.js'
import { audit } from './audit-record-schema.js'
import {
  anyText,
  count,
  email,
  name,
  number,
  object,
  oneOf,
  optional,
  someText,
  text,
  time,
} from './record-fields.js'
import { secondFactor } from './second-factor-schema.js'

const id = name

const previousSecret = object<PreviousSecret>({ secret: id, until: time })

const account = object<Account>({
  id,
  email,
  passwordHash: id,
  secondFactor: optional(secondFactor),
  secretKey: id,
  appKey: id,
  apiKeyHash: id,
  country: z.string().refine(isCountry, {
    error: 'Invalid input: expected an ISO 3166 country code, in capitals',
  }),
  mode: z.enum(deliveryModes),
  timeZone: optional(
    z.string().refine(isTimeZone, { error: 'Invalid input: expected a time zone' }),
  ),
  helpText: optional(someText(limits.text)),
  alerts: optional(email),
  fewerParts: optional(z.literal(true)),
  receivedMail: optional(email),
  receivedMailed: optional(id),
  stopText: optional(someText(limits.text)),
  hookSecret: text(/^whsec_/, '"whsec_" and base64'),
  formerHookSecrets: optional(z.array(previousSecret)),
  createdAt: time,
  ownerSince: time.nullable(),
  limits: optional(accountLimits),
})

const token = object<Token>({
  id,
  account: id,
  kind: oneOf<TokenKind>({ api: true, app: true, login: true }),
  person: optional(id),
  expiresAt: time,
  claims: optional(count),
  login: optional(
    object<TokenLogin>({ at: time, isSession: z.boolean(), device: id, address: z.string() }),
  ),
})

const status = oneOf<Status>({ N: true, S: true, E: true, F: true, D: true, L: true, B: true })

const message = object<Message>({
  id,
  account: id,
  destination: someText(limits.destination),
  number,
  text: someText(limits.text),
  source: z.enum(sources),
  status,
  createdAt: time,
  sendAt: time,
  statusAt: time,
  failures: count.max(maxAttempts),
  retryAt: optional(time),
  lease: optional(object<Lease>({ holder: id, until: time, claim: optional(count) })),
  leasedAt: optional(time),
  lastHolder: optional(id),
  parts: optional(count),
  error: optional(anyText(limits.errorMessage)),
  reportKey: optional(z.string()),
  before: optional(status),
  confirmsOptOut: optional(z.literal(true)),
  flash: optional(z.literal(true)),
  phone: optional(id),
  delivery: optional(text(deliveryPattern, 'the letters of parts, a time and a reason')),
  attempts: optional(text(attemptsPattern, 'a time, f or u, a phone and an error on each line')),
  leases: optional(text(leasesPattern, 'a time, milliseconds and a phone on each line')),
}).refine(each => (each.status === 'D') === (each.before !== undefined), {
  path: ['before'],
  message: 'Only a deleted message has the state before, and each has it',
})

const retry = object<RetryState>({
  seq: count,
  attempts: count,
  firstAt: time,
  retryAt: time,
  before: optional(count),
  hold: optional(z.boolean()),
})

const subscription = object<Subscription>({
  id,
  account: id,
  event: z.enum(eventNames),
  url: z.url({ protocol: /^https?$/ }).max(limits.url),
  method: text(/^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,16}$/, 'an HTTP token of at most 16 characters'),
  post: z.boolean(),
  headers: optional(z.record(id, id)),
  triggered: count,
  createdAt: time,
  cursor: count,
  trying: optional(retry),
  ahead: optional(z.array(z.union([retry, object<SettledEvent>({ seq: count })]))),
  window: optional(count.min(1).max(limits.window)),
  schedule: optional(z.array(count.max(limits.retryDelay)).max(limits.retryDelays)),
  replays: optional(count),
  unreported: optional(z.boolean()),
  hookSecret: optional(id),
  formerHookSecrets: optional(z.array(previousSecret)),
  onExhausted: optional(z.enum(onExhaustedChoices)),
  listener: optional(object<SubscriptionListener>({ name: id, seenAt: time })),
  paused: optional(
    object<PauseState>({
      at: time,
      reason: oneOf<PauseReason>({ request: true, gone: true, exhausted: true }),
    }),
  ),
}).refine(({ cursor, trying }) => trying === undefined || trying.seq > cursor, {
  path: ['trying', 'seq'],
  message: 'The event that is retried must follow the cursor',
})

const received = object<ReceivedText>({
  id,
  account: id,
  from: someText(limits.sender),
  number: optional(number),
  text: anyText(limits.receivedText),
  receivedAt: time,
  createdAt: time,
  phone: optional(z.string()),
  to: optional(z.string()),
  driver: optional(z.string()),
  line: optional(z.string()),
  kind: optional(oneOf<'mms'>({ mms: true })),
  subject: optional(anyText(limits.mmsSubject)),
  size: optional(count),
  media: optional(z.array(someText(limits.url)).max(limits.mmsMedia)),
  word: optional(oneOf<OptOutKeyword>({ stop: true, start: true, help: true })),
  once: optional(object<ReceivedTextKey>({ key: z.string(), digest: id })),
  event: optional(count),
  reply: optional(id),
})

const tally = object<DeletedCounts>({
  id,
  account: id,
  quarter: count,
  created: count,
  sent: count,
  failed: count,
  blocked: count,
  pending: optional(count),
  delivered: optional(count),
  undelivered: optional(count),
  expired: optional(count),
})

const block = object<DoNotTextEntry>({
  scope: id,
  number,
  at: time,
  reason: optional(oneOf<DoNotTextReason>({ person: true, api: true, stop: true, import: true })),
  by: optional(z.string()),
  note: optional(anyText(limits.note)),
})

/** A schema for the records of each kind; unknown fields are errors. */
export const recordSchemas: { readonly [K in Kind]: z.ZodType<Records[K]> } = {
  account,
  token,
  person,
  invitation,
  message,
  subscription,
  ...resourceSchemas,
  capability,
  mailbox,
  phone,
  contact,
  received,
  tally,
  block,
  once: object<StoredResult>({ digest: id, until: time, message }),
  event: object<RelayEvent>({
    seq: count.min(1),
    account: id,
    event: z.enum(eventNames),
    message: id,
    at: time,
  }),
  audit,
  meta: object<Records['meta']>({ seq: count }),
}
