import { parseDriverOptions } from '../driver-flags.js'
import type { Setup } from './saved-setup.js'

/** One driver of a phone, with the options that are its own. */
export interface SetupDriver {
  /** Its name, or its kind where there is one driver without a name. */
  readonly name: string
  readonly kind: string
  readonly options: Readonly<Record<string, string>>
}

/** The drivers of a setup one by one. Throws `usage`. */
export function listSetupDrivers(setup: Setup): SetupDriver[] {
  const options = parseDriverOptions(setup)
  const [first = '', ...more] = setup.driver ?? []
  if (more.length === 0 && !first.includes('=')) return [{ name: first, kind: first, options }]
  return [first, ...more].map(text => {
    const [name = '', kind = ''] = text.split('=', 2)
    const own = Object.entries(options).filter(([key]) => key.startsWith(`${name}.`))
    const mine = own.map(([key, value]) => [key.slice(name.length + 1), value] as const)
    return { name, kind, options: Object.fromEntries(mine) }
  })
}
