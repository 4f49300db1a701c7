import { RelayError } from '../../../errors.js'
import { createDriverSet } from '../../../phone/drivers/driver-set.js'
import { parseDriverOptions } from '../phone-flags.js'
import type { Setup } from '../setup/saved-setup.js'

type Values = Readonly<Record<string, string>>
type Env = Readonly<Record<string, string | undefined>>

/** Environment variables from which phone drivers read secret options. */
const secretVariables: Readonly<Record<string, Values>> = {
  modem: { pin: 'SMSRELAY_SIM_PIN' },
  smpp: { password: 'SMSRELAY_SMPP_PASSWORD' },
  http: { password: 'SMSRELAY_HTTP_PASSWORD' },
}
const secretOption = /(^|\.)(pin|password)=|(^|\.)header\.[^=]+=(?!.*\{env:)/

/**
 * Moves the secret options of a `smsrelay phone` setup to environment variables of the systemd
 * unit. Throws `usage`.
 */
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

/**
 * Finds the environment variables that the drivers of a `smsrelay phone` setup read. Throws
 * `usage`.
 */
export async function findUsedEnvironment(setup: Setup, env: Env): Promise<Values> {
  const names = new Set<string>()
  // A driver that reads one environment variable needs it; one that lists all passes them to a
  // program.
  const watched = new Proxy(env, {
    get: (_, name) => {
      if (typeof name !== 'string') return undefined
      names.add(name)
      return env[name]
    },
    has: (_, name) => name in env,
    ownKeys: () => [],
  })
  const options = parseDriverOptions(setup)
  const choice = { drivers: setup.driver ?? [], routes: setup.route, options }
  await using driver = createDriverSet(choice, { env: watched })
  if (setup.listen !== undefined) driver.openWebhooks?.()
  return Object.fromEntries(
    [...names].flatMap(name => {
      const value = env[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

function exposedSecretError(key: string): RelayError {
  return new RelayError('usage', `The option ${key} would be readable in the unit.`, {
    hint:
      'Save it with smsrelay phone setup NAME, and install with --user --use NAME, ' +
      'or use {env:VARIABLE}.',
  })
}
