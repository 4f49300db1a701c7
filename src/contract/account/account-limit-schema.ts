// Requests and replies about accounts: their limits and their people.
// - account-limit-schema: the limits of an account with their use, and changes of them
// - person-schema: the people of an account, and invitations
// Names in JSON are those of the API; each file converts the records of the domain to them.
// Other parts of an account have their schemas in the folder above.
import * as z from 'zod/mini'
import {
  type AccountLimitChanges,
  type AccountLimitName,
  accountLimitNames,
  maxAccountLimit,
} from '../../domain/account-limits.js'
import { annotate, describe, whole } from '../schema/describe.js'
import { links } from '../schema/link-schema.js'
import { integerField } from '../schema/schema-fields.js'

const fieldNames = {
  messagesPerHour: 'messages_per_hour',
  messagesPerDay: 'messages_per_day',
  waitingMessages: 'waiting_messages',
  subscriptions: 'subscriptions',
  secretUrls: 'secret_urls',
} as const satisfies Record<AccountLimitName, string>

const texts = {
  messages_per_hour: 'Messages that are created in 60 minutes.',
  messages_per_day: 'Messages that are created in 24 hours.',
  waiting_messages: 'Messages that wait to be sent, scheduled ones too.',
  subscriptions: 'Subscriptions.',
  secret_urls: 'Secret URLs, also expired ones.',
} as const

type FieldName = keyof typeof texts

const limitUse = z.lazy(() =>
  describe(
    z.object({
      max: describe(z.nullable(z.number()), 'The most that the account may have; null: no limit.', {
        ...whole,
        type: ['integer', 'null'],
      }),
      used: describe(z.number(), 'How many the account has now.', whole),
    }),
    'A limit and its use.',
    { id: 'LimitUse' },
  ),
)

export const accountLimitsReply = z.lazy(() =>
  z.object({
    limits: describe(
      z.object({
        messages_per_hour: describe(limitUse, texts.messages_per_hour),
        messages_per_day: describe(limitUse, texts.messages_per_day),
        waiting_messages: describe(limitUse, texts.waiting_messages),
        subscriptions: describe(limitUse, texts.subscriptions),
        secret_urls: describe(limitUse, texts.secret_urls),
      }),
      'The limits of the account.',
      { id: 'Limits' },
    ),
    links: z.optional(links),
  }),
)

/** The body of PATCH /account/<email>/limits (extension); null or an empty text removes a limit. */
export const accountLimitsEdit = z.lazy(() =>
  z
    .object({
      messages_per_hour: limitField('messages_per_hour'),
      messages_per_day: limitField('messages_per_day'),
      waiting_messages: limitField('waiting_messages'),
      subscriptions: limitField('subscriptions'),
      secret_urls: limitField('secret_urls'),
    })
    .check(
      z.refine(edit => Object.values(edit).some(value => value !== undefined), {
        error: `At least one of ${Object.keys(texts).join(', ')} is required.`,
        params: { missing: true },
      }),
    ),
)

export type AccountLimitsReply = z.infer<typeof accountLimitsReply>
export type AccountLimitFields = AccountLimitsReply['limits']
export type AccountLimitsEdit = z.infer<typeof accountLimitsEdit>

export function parseLimitChanges(edit: AccountLimitsEdit): AccountLimitChanges {
  return Object.fromEntries(accountLimitNames.map(name => [name, edit[fieldNames[name]]]))
}

export function toLimitFields(
  uses: Readonly<Record<AccountLimitName, { readonly max?: number; readonly used: number }>>,
): AccountLimitFields {
  const toField = (name: AccountLimitName) => {
    const { max = null, used } = uses[name]
    return { max: max !== null && Number.isFinite(max) ? max : null, used }
  }
  return {
    messages_per_hour: toField('messagesPerHour'),
    messages_per_day: toField('messagesPerDay'),
    waiting_messages: toField('waitingMessages'),
    subscriptions: toField('subscriptions'),
    secret_urls: toField('secretUrls'),
  }
}

function limitField(name: FieldName) {
  const empty = z.pipe(
    z.literal(''),
    z.transform(() => null),
  )
  const error = `must be a whole number, 0 to ${maxAccountLimit}, or empty for no limit`
  const schema = z.union([z.null(), empty, integerField(0, maxAccountLimit)], { error })
  const field = annotate(z.optional(schema), {
    replace: { type: ['integer', 'null'], minimum: 0, maximum: maxAccountLimit },
  })
  return describe(field, `${texts[name]} Null: no limit.`)
}
