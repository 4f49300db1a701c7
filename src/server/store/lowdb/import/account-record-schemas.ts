import { z } from 'zod'
import { type Invitation, type Person, roles } from '../../../../domain/account/person.js'
import type { SecretUrl, SecretUrlUses } from '../../../../domain/account/secret-url.js'
import type { UsageLimit } from '../../../../domain/account/usage-limit.js'
import { type AccountLimits, mapAccountLimits } from '../../../../domain/account-limits.js'
import type { Contact } from '../../../../domain/contact/contact.js'
import { limits } from '../../../../domain/limits.js'
import { activityPattern } from '../../../../domain/phone/phone-activity.js'
import type { PhoneNetworkReport } from '../../../../domain/phone/phone-network.js'
import type { PhoneRecord } from '../../../../domain/phone/phone-status.js'
import type { Mailbox } from '../../../../resources/mailbox.js'
import { type InputField, listInputs, type Resource } from '../../../../resources/resource.js'
import {
  type ResourceName,
  type ResourceRecords,
  resourceNames,
  resources,
} from '../../../../resources/resources.js'
import {
  anyText,
  count,
  email,
  name as id,
  number,
  object,
  oneOf,
  optional,
  someText,
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
  name: optional(anyText(limits.secretUrlName)),
  destinations: optional(z.array(someText(limits.destination)).max(limits.secretUrlDestinations)),
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

export const mailbox = createRecordSchema<Mailbox>(resources.mailbox).refine(
  ({ hash, alias }) => (hash === undefined) !== (alias === undefined),
  { path: ['alias'], message: 'A mailbox has either an alias or the hash of a key' },
)

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

export const contact = object<Contact>({
  account: id,
  number,
  name: anyText(limits.contactName),
  fields: optional(z.record(someText(limits.contactFieldName), anyText(limits.contactField))),
  groups: optional(z.array(id).max(limits.contactGroups)),
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

/** The schema of each resource without rules of its own. */
export const resourceSchemas = Object.fromEntries(
  resourceNames.map(name => [name, createRecordSchema(resources[name])]),
) as unknown as { readonly [K in ResourceName]: z.ZodType<ResourceRecords[K]> }

function createRecordSchema<T>(resource: Resource): z.ZodType<T> {
  const shape: Record<string, z.ZodType> = { id, account: id, createdAt: time }
  for (const { stored, field } of listInputs(resource)) {
    const schema = createFieldSchema(field)
    shape[stored] = 'optional' in field ? optional(schema) : schema
  }
  const hasKey = Object.values(resource.fields).some(({ kind }) => kind === 'key')
  const secret = hasKey ? { hash: optional(id), hint: optional(id) } : {}
  return z.strictObject({ ...shape, ...secret }) as unknown as z.ZodType<T>
}

function createFieldSchema(field: InputField): z.ZodType {
  switch (field.kind) {
    case 'integer':
      return count.max(field.max)
    case 'choice':
      return z.enum([...field.options])
    case 'list':
      return z.array(someText(field.max)).max(field.count)
    case 'text':
      return field.min === 0 ? anyText(field.max) : someText(field.max)
  }
}
