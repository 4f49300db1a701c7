import * as z from 'zod/mini'
import { type Account, deliveryModes } from '../domain/account/account.js'
import { limits } from '../domain/limits.js'
import { describe } from './schema/describe.js'
import { links } from './schema/link-schema.js'
import { booleanField, textField } from './schema/schema-fields.js'

/** Reply with a new account: its keys and password in plain text, shown once. */
export const newAccount = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  secret_key: z.string(),
  api_key: z.string(),
  app_key: z.string(),
})

const fewerParts =
  'Whether typographic quotes, dashes, ellipses and spaces become letters of the GSM alphabet, ' +
  'if the text then needs no other one.'

const accountFields = z.object({
  id: z.string(),
  email: z.string(),
  secret_key: z.string(),
  app_key: z.string(),
  country: z.string(),
  mode: z.enum(deliveryModes),
  /** Time zone of the pages; absent: that of each browser. */
  time_zone: z.optional(z.string()),
  /** Automatic reply to HELP and INFO; absent: no reply. */
  help_text: z.optional(z.string()),
  /** Automatic reply that confirms STOP; absent: no reply. */
  stop_text: z.optional(z.string()),
  /** Address that paused subscriptions are reported to; absent: none. */
  alerts: z.optional(z.string()),
  fewer_parts: z.optional(z.boolean()),
  /** Address that received texts are sent to; absent: none. */
  received_mail: z.optional(z.string()),
  created_on: z.string(),
  owner: z.boolean(),
})

const settingsFields = z.lazy(() =>
  describe(
    z.object({
      country: describe(z.string(), 'The country in which national numbers are read (ISO 3166).'),
      mode: describe(
        z.enum(deliveryModes),
        'What happens to a message when a phone falls silent: it is sent again, or locked.',
      ),
      time_zone: describe(
        z.nullable(z.string()),
        'The time zone of the pages (IANA); null: that of each browser.',
      ),
      help_text: describe(z.nullable(z.string()), 'The reply to HELP and INFO; null: no reply.'),
      stop_text: describe(z.nullable(z.string()), 'The reply that confirms STOP; null: no reply.'),
      alerts: describe(
        z.nullable(z.string()),
        'The e-mail address that paused subscriptions are reported to; null: none.',
      ),
      fewer_parts: describe(z.optional(z.boolean()), fewerParts),
      received_mail: describe(
        z.optional(z.nullable(z.string())),
        'The e-mail address that received texts are sent to; null: none.',
      ),
    }),
    'The settings of the account.',
    { id: 'Settings' },
  ),
)

export const settingsReply = z.lazy(() =>
  z.object({ settings: settingsFields, links: z.optional(links) }),
)

/** The body of PATCH /user/settings (extension); an empty text switches it off. */
export const settingsEdit = z.lazy(() =>
  z
    .object({
      time_zone: describe(
        z.optional(textField(0, 64)),
        'The time zone of the pages (IANA), such as `Europe/Berlin`; empty: that of each browser.',
      ),
      help_text: describe(
        z.optional(textField(0, limits.text)),
        'The reply to HELP and INFO; empty: no reply.',
      ),
      stop_text: describe(
        z.optional(textField(0, limits.text)),
        'The reply that confirms STOP; empty: no reply.',
      ),
      alerts: describe(
        z.optional(textField(0, limits.sender)),
        'The e-mail address that paused subscriptions are reported to; empty: none.',
      ),
      fewer_parts: describe(z.optional(booleanField()), fewerParts),
      received_mail: describe(
        z.optional(textField(0, limits.sender)),
        'The e-mail address that received texts are sent to; empty: none.',
      ),
    })
    .check(
      z.refine(edit => Object.values(edit).some(value => value !== undefined), {
        error:
          'At least one of `time_zone`, `help_text`, `stop_text`, `alerts`, `fewer_parts` and ' +
          '`received_mail` is required.',
        params: { missing: true },
      }),
    ),
)

export type SettingsFields = z.infer<typeof settingsFields>
export type SettingsReply = z.infer<typeof settingsReply>
export type SettingsEdit = z.infer<typeof settingsEdit>

export function toSettingsFields(account: Account): SettingsFields {
  const {
    country,
    mode,
    timeZone = null,
    helpText = null,
    stopText = null,
    alerts = null,
    fewerParts = false,
    receivedMail = null,
  } = account
  const texts = { help_text: helpText, stop_text: stopText }
  const more = { alerts, fewer_parts: fewerParts, received_mail: receivedMail }
  return { country, mode, time_zone: timeZone, ...texts, ...more }
}

export type NewAccount = z.infer<typeof newAccount>
export type AccountFields = z.infer<typeof accountFields>
