import { RelayError } from '../../../errors.js'
import { createDriverSet } from '../../../phone/drivers/driver-set.js'
import type { KeyConnection } from '../../profile/connection.js'
import { driverFlags, parseDriverOptions, runningFlags } from '../phone-flags.js'
import { type Setup, setupFields } from './saved-setup.js'
import { listSetupDrivers } from './setup-flags.js'

type Env = Readonly<Record<string, string | undefined>>
type Variables = Readonly<Record<string, string>>

export interface PhoneService {
  readonly variables: Variables
  readonly drivers: readonly string[]
}

export async function planPhoneService(
  setup: Setup,
  { url, credentials }: KeyConnection,
  env: Env,
): Promise<PhoneService> {
  const drivers = listSetupDrivers(setup).map(({ kind }) => kind)
  if (drivers.includes('termux')) {
    throw new RelayError('usage', 'Termux has no systemd.', {
      hint: 'Install the app Termux:Boot, and put the command into ~/.termux/boot.',
    })
  }
  const keys = {
    SMSRELAY_URL: url,
    SMSRELAY_SECRET_KEY: credentials.user,
    SMSRELAY_APP_KEY: credentials.password,
  }
  const used = await findUsedVariables(setup, env)
  return { variables: { ...used, ...toVariables(setup), ...keys }, drivers }
}

/** The variables of the flags of `phone`; a repeatable flag has a line for each value. */
function toVariables({ profile: _, ...setup }: Setup): Variables {
  const flags = { ...driverFlags, ...runningFlags } as Readonly<Record<string, { env?: string }>>
  return Object.fromEntries(
    Object.keys(setupFields).flatMap(field => {
      const value = setup[field as keyof typeof setup]
      const name = flags[field]?.env
      if (value === undefined || value === false || name === undefined) return []
      return [[name, Array.isArray(value) ? value.join('\n') : String(value)] as const]
    }),
  )
}

async function findUsedVariables(setup: Setup, env: Env): Promise<Variables> {
  const names = new Set<string>()
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
  const found = [...names].flatMap(name => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}
