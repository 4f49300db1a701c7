export interface PhoneNetwork {
  /** Strength of the signal: `-71 dBm`, or `60 %`; of several drivers `a: -71 dBm, b: 60 %`. */
  readonly signal?: string
  readonly operator?: string
  readonly rate?: string
}

export interface PhoneNetworkReport extends PhoneNetwork {
  readonly at: number
}

const strength = '(?:-\\d{1,3} dBm|(?:\\d{1,2}|100) %)'
const named = `[a-z0-9-]{1,32}: ${strength}`

const patterns: Readonly<Record<keyof PhoneNetwork, RegExp>> = {
  signal: new RegExp(`^(?:${strength}|${named}(?:, ${named}){0,7})$`),
  operator: /^\P{Cc}{1,160}$/u,
  rate: /^[ -~]{1,64}$/,
}

const networkFields = Object.keys(patterns) as (keyof PhoneNetwork)[]

/** Picks the fields of a phone's report that are valid; undefined without any. */
export function pickNetworkFields(
  fields: Readonly<Partial<Record<keyof PhoneNetwork, string | undefined>>>,
): PhoneNetwork | undefined {
  const valid = networkFields.flatMap(name => {
    const text = fields[name]?.trim()
    return text !== undefined && patterns[name].test(text) ? [[name, text] as const] : []
  })
  return valid.length === 0 ? undefined : Object.fromEntries(valid)
}
