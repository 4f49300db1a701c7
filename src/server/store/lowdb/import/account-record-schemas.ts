import { z } from 'zod'
import { type Invitation, type Person, roles } from '../../../../domain/account/person.js'
import type { SecretUrl, SecretUrlUses } from '../../../../domain/account/secret-url.js'
import type { UsageLimit } from '../../../../domain/account/usage-limit.js'
import { type AccountLimits, mapAccountLimits } from '../../../../domain/account-limits.js'
import type { Contact } from '../../../../domain/contact/contact.js'
import { activityPattern } from '../../../../domain/phone/phone-activity.js'
import type { PhoneNetworkReport } from '../../../../domain/phone/phone-network.js'
import type { PhoneRecord } from '../../../../domain/phone/phone-status.js'
import type { ContactGroup } from '../../../../resources/group.js'
import { type Mailbox, mailbox as mailboxResource } from '../../../../resources/mailbox.js'
import type { MessageTemplate } from '../../../../resources/template.js'
import {
  count,
  email,
  name as id,
  number,
  object,
  oneOf,
  optional,
  text,
  time,
} from './record-fields.js'
import { secondFactor } from './second-factor-schema.js'

export const accountLimits = object<AccountLimits>(mapAccountLimits(() => optional(count)))

export const capability = object<SecretUrl>({
  id,
  account: id,
  hash: id,
  createdAt: time,
  name: optional(z.string()),
  destinations: optional(z.array(id)),
  template: optional(z.string()),
  length: optional(count),
  rate: optional(
    object<UsageLimit>({
      uses: count,
      per: oneOf<UsageLimit['per']>({ s: true, min: true, h: true, d: true }),
    }),
  ),
  expiresAt: optional(time),
  confirm: optional(z.boolean()),
  uses: optional(
    object<SecretUrlUses>({
      count,
      lastAt: time,
      recent: z.array(z.tuple([time, count])),
      requests: optional(z.array(z.tuple([time, id]))),
    }),
  ),
})

export const mailbox = object<Mailbox>({
  id,
  account: id,
  name: z.string(),
  hash: optional(id),
  hint: optional(id),
  alias: optional(id),
  destinations: z.array(id),
  senders: z.array(id),
  subject: z.enum(mailboxResource.fields.subject.options),
  hourly: optional(count),
  length: count,
  createdAt: time,
}).refine(({ hash, alias }) => (hash === undefined) !== (alias === undefined), {
  path: ['alias'],
  message: 'A mailbox has either an alias or the hash of a key',
})

export const phone = object<PhoneRecord>({
  id,
  account: id,
  name: id,
  driver: id,
  firstNextAt: optional(time),
  lastNextAt: optional(time),
  lastSeenAt: time,
  quietUntil: optional(time),
  lastSuccessAt: optional(time),
  lastFailureAt: optional(time),
  holder: optional(id),
  activity: optional(text(activityPattern, 'the activity of a phone')),
  network: optional(
    object<PhoneNetworkReport>({
      at: time,
      signal: optional(id),
      operator: optional(id),
      rate: optional(id),
    }),
  ),
})

export const group = object<ContactGroup>({ id, account: id, name: id, createdAt: time })

export const template = object<MessageTemplate>({
  id,
  account: id,
  name: id,
  text: id,
  createdAt: time,
})

export const contact = object<Contact>({
  account: id,
  number,
  name: text(/^[^\0]*$/, 'a name without U+0000'),
  fields: optional(z.record(id, z.string())),
  groups: optional(z.array(id)),
  createdAt: time,
})

export const person = object<Person>({
  id,
  account: id,
  email,
  passwordHash: id,
  secondFactor: optional(secondFactor),
  role: z.enum(roles),
  createdAt: time,
  lastSignInAt: optional(time),
})

export const invitation = object<Invitation>({
  id,
  account: id,
  email,
  role: z.enum(roles),
  by: optional(id),
  createdAt: time,
  expiresAt: time,
})
