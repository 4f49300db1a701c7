import type { AccountLimitFields } from '../../contract/account/account-limit-schema.js'
import { formatCount } from '../../util/text/plural.js'
import { formatFields } from '../terminal/terminal-text.js'

const titles = {
  messages_per_hour: 'messages an hour',
  messages_per_day: 'messages a day',
  waiting_messages: 'waiting messages',
  subscriptions: 'subscriptions',
  secret_urls: 'secret URLs',
} as const satisfies Record<keyof AccountLimitFields, string>

export function formatLimits(limits: AccountLimitFields & { readonly email: string }): string {
  const names = Object.keys(titles) as (keyof typeof titles)[]
  const lines = names.map(name => {
    const { max, used } = limits[name]
    const limit = max === null ? 'no limit' : `of ${formatCount(max)}`
    return [titles[name], `${formatCount(used)}, ${limit}`] as const
  })
  return formatFields({ email: limits.email, ...Object.fromEntries(lines) })
}
