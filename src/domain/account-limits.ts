/** Limits of an account that the owner sets; an absent one does not apply. */
export interface AccountLimits {
  readonly messagesPerHour?: number
  readonly messagesPerDay?: number
  readonly waitingMessages?: number
  readonly subscriptions?: number
  readonly secretUrls?: number
}

export const accountLimitNames = [
  'messagesPerHour',
  'messagesPerDay',
  'waitingMessages',
  'subscriptions',
  'secretUrls',
] as const satisfies readonly (keyof AccountLimits)[]

export type AccountLimitName = (typeof accountLimitNames)[number]

/** Changes of an account's limits: null removes one, and an absent one stays. */
export type AccountLimitChanges = { readonly [K in AccountLimitName]?: number | null | undefined }

export const maxAccountLimit = 100_000_000

export function changeAccountLimits(
  limits: AccountLimits = {},
  changes: AccountLimitChanges,
): AccountLimits | undefined {
  const changed = accountLimitNames.flatMap(name => {
    const value = changes[name] === undefined ? limits[name] : changes[name]
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

export function hasMessageLimits(limits: AccountLimits | undefined): limits is AccountLimits {
  if (limits === undefined) return false
  const { messagesPerHour, messagesPerDay, waitingMessages } = limits
  return (messagesPerHour ?? messagesPerDay ?? waitingMessages) !== undefined
}
