import { RelayError } from '../../../errors.js'
import { createDriverSet } from '../../../phone/drivers/driver-set.js'
import { parseDriverOptions } from '../driver-flags.js'
import { listSetupDrivers } from '../setup/driver-list.js'
import type { Setup } from '../setup/saved-setup.js'

type Values = Readonly<Record<string, string>>
type Env = Readonly<Record<string, string | undefined>>

/** Where drivers look for what `ps` and a unit file would show. */
const secretVariables: Readonly<Record<string, Values>> = {
  modem: { pin: 'SMSRELAY_SIM_PIN' },
  smpp: { password: 'SMSRELAY_SMPP_PASSWORD' },
  http: { password: 'SMSRELAY_HTTP_PASSWORD' },
}
const secretOption = /(^|\.)(pin|password)=|(^|\.)header\.[^=]+=(?!.*\{env:)/

/** Takes the secrets out of the options of a driver, and says in which variables it finds them. Throws `usage`. */
export function extractSecrets(setup: Setup): { readonly setup: Setup; readonly values: Values } {
  const values: Record<string, string> = {}
  const option = (setup.option ?? []).filter(text => {
    if (!secretOption.test(text)) return true
    const at = text.indexOf('=')
    const key = text.slice(0, at)
    const [driver = ''] = setup.driver ?? []
    const name = secretVariables[driver]?.[key]
    if (name === undefined) throw exposedSecretError(key)
    values[name] = text.slice(at + 1)
    return false
  })
  return { setup: { ...setup, option }, values }
}

/** The variables of the environment that the drivers of a setup look at. Throws `usage` for a setup that is incomplete. */
export async function findUsedEnvironment(setup: Setup, env: Env): Promise<Values> {
  const seen = new Set<string>()
  // What goes through all variables hands them on to a program; what asks for one needs it.
  const watched = new Proxy(env, {
    get: (_, name) => {
      if (typeof name !== 'string') return undefined
      seen.add(name)
      return env[name]
    },
    has: (_, name) => name in env,
    ownKeys: () => [],
  })
  const choice = {
    drivers: setup.driver ?? [],
    routes: setup.route,
    options: parseDriverOptions(setup),
  }
  await using _ = createDriverSet(choice, { env: watched })
  return Object.fromEntries(
    [...seen].flatMap(name => {
      const value = env[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** The kinds of the drivers of a setup. */
export function getDriverKinds(setup: Setup): readonly string[] {
  return listSetupDrivers(setup).map(({ kind }) => kind)
}

function exposedSecretError(key: string): RelayError {
  return new RelayError('usage', `The option ${key} would be readable in the unit.`, {
    hint: 'Save it (smsrelay phone setup NAME) and install for yourself with --use NAME, or write {env:VARIABLE}.',
  })
}
