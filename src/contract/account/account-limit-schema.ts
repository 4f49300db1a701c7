// Requests and replies about the limits of an account, with their use.
// Names in JSON are those of the API; each file converts the records of the domain to them.
// Other parts of an account have their schemas in the folder above.
import * as z from 'zod/mini'
import {
  type AccountLimitChanges,
  type AccountLimitName,
  accountLimitNames,
  accountLimits,
  mapAccountLimits,
  mapLimitFields,
  maxAccountLimit,
} from '../../domain/account-limits.js'
import { formatCount } from '../../util/text/plural.js'
import { annotate, describe, whole } from '../schema/describe.js'
import { links } from '../schema/link-schema.js'
import { integerField } from '../schema/schema-fields.js'

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
      z.object(
        mapLimitFields(name =>
          describe(
            z.lazy(() => limitUse),
            accountLimits[name].about,
          ),
        ),
      ),
      'The limits of the account.',
      { id: 'Limits' },
    ),
    links: z.optional(links),
  }),
)

/** The body of PATCH /account/<email>/limits (extension); null or an empty text removes a limit. */
export const accountLimitsEdit = z.lazy(() =>
  z.object(mapLimitFields(limitField)).check(
    z.refine(edit => Object.values(edit).some(value => value !== undefined), {
      error: `At least one of ${listLimitFields().join(', ')} is required.`,
      params: { missing: true },
    }),
  ),
)

export type AccountLimitsReply = z.infer<typeof accountLimitsReply>
export type AccountLimitFields = AccountLimitsReply['limits']
export type AccountLimitsEdit = z.infer<typeof accountLimitsEdit>

export function listLimitFields(): string[] {
  return accountLimitNames.map(name => accountLimits[name].field)
}

export function parseLimitChanges(edit: AccountLimitsEdit): AccountLimitChanges {
  return mapAccountLimits(name => edit[accountLimits[name].field])
}

export function toLimitFields(
  uses: Readonly<Record<AccountLimitName, { readonly max?: number; readonly used: number }>>,
): AccountLimitFields {
  return mapLimitFields(name => {
    const { max = null, used } = uses[name]
    return { max: max !== null && Number.isFinite(max) ? max : null, used }
  })
}

function limitField(name: AccountLimitName) {
  const empty = z.pipe(
    z.literal(''),
    z.transform(() => null),
  )
  const common = 'default' in accountLimits[name] ? 'the default' : 'no limit'
  const error = `must be a whole number, 0 to ${maxAccountLimit}, or empty for ${common}`
  const schema = z.union([z.null(), empty, integerField(0, maxAccountLimit)], { error })
  const field = annotate(z.optional(schema), {
    replace: { type: ['integer', 'null'], minimum: 0, maximum: maxAccountLimit },
  })
  return describe(field, `${accountLimits[name].about} Null: ${describeDefault(name)}.`)
}

/** What an account has without a limit of its own. */
export function describeDefault(name: AccountLimitName): string {
  const { [name]: limit } = accountLimits
  return 'default' in limit ? formatCount(limit.default) : 'no limit'
}
