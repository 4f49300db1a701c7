import type { AccountLimitFields } from '../../contract/account/account-limit-schema.js'
import { accountLimitNames, accountLimits, getLimitNoun } from '../../domain/account-limits.js'
import { formatCount } from '../../util/text/plural.js'
import { formatFields } from '../terminal/terminal-text.js'

export function formatLimits(limits: AccountLimitFields & { readonly email: string }): string {
  const lines = accountLimitNames.map(name => {
    const { max, used } = limits[accountLimits[name].field]
    const limit = max === null ? 'no limit' : `of ${formatCount(max)}`
    return [getLimitNoun(name), `${formatCount(used)}, ${limit}`] as const
  })
  return formatFields({ email: limits.email, ...Object.fromEntries(lines) })
}
