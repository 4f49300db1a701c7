import type { AccountLimitFields } from '../../contract/account/account-limit-schema.js'
import { accountLimitNames, accountLimits } from '../../domain/account-limits.js'
import { formatCount } from '../../util/text/plural.js'
import { formatFields } from '../terminal/terminal-text.js'

export function formatLimits(limits: AccountLimitFields & { readonly email: string }): string {
  const lines = accountLimitNames.map(name => {
    const { field, label } = accountLimits[name]
    const { max, used } = limits[field]
    const limit = max === null ? 'no limit' : `of ${formatCount(max)}`
    return [
      `${label[0]?.toLowerCase()}${label.slice(1)}`,
      `${formatCount(used)}, ${limit}`,
    ] as const
  })
  return formatFields({ email: limits.email, ...Object.fromEntries(lines) })
}
