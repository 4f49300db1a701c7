import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { errorText } from '../../../errors.js'
import type { Driver, DriverHealth } from '../../../phone/driver-port/driver.js'
import { createDriver } from '../../../phone/drivers/driver-registry.js'
import { splitCommand } from '../../../util/text/shell-words.js'
import { getStateDir } from '../../profile/directories.js'
import type { Setup } from '../setup/saved-setup.js'
import { checkSetup, listSetupDrivers, type SetupDriver } from '../setup/setup-flags.js'
import {
  type CheckResult,
  createFailure,
  createOk,
  createWarning,
  toFailure,
} from './check-result.js'

type Env = Readonly<Record<string, string | undefined>>

export interface CheckDriversOptions {
  readonly env: Env
  readonly signal: AbortSignal
  readonly isRunning: boolean
}

const exclusiveDrivers: readonly string[] = ['modem', 'gammu', 'smpp']
/** Milliseconds. */
const healthTimeout = 45_000

export async function* checkDrivers(
  setup: Setup,
  options: CheckDriversOptions,
): AsyncGenerator<CheckResult> {
  try {
    await checkSetup(setup, options.env)
  } catch (error) {
    yield toFailure('settings', error)
    return
  }
  const drivers = listSetupDrivers(setup)
  yield createOk('settings', `Complete: ${drivers.map(({ name }) => name).join(', ')}.`)
  for (const driver of drivers) yield* checkDriver(driver, options)
}

async function* checkDriver(
  setupDriver: SetupDriver,
  { env, signal, isRunning }: CheckDriversOptions,
): AsyncGenerator<CheckResult> {
  const { name, kind } = setupDriver
  if (kind === 'exec') {
    yield await checkProgram(setupDriver, env)
    return
  }
  if (kind === 'simulate') {
    yield createWarning(name, 'This driver sends no texts.', 'For real texts use another --driver.')
    return
  }
  if (isRunning && exclusiveDrivers.includes(kind)) {
    const detail = 'Not checked, because the running phone may use it.'
    yield createWarning(name, detail, 'Stop that phone, and run this command again.')
    return
  }
  const senders: string[] = []
  await using driver = createDriver(kind, setupDriver.options, { env, stateDir: getStateDir(env) })
  if (kind === 'smpp') listenForTexts(driver, senders)
  yield toHealthResult(setupDriver, await getHealth(driver, signal))
  for (const sender of senders) {
    yield createWarning(name, `A text from ${sender} waits at the SMSC until a phone runs.`)
  }
}

/**
 * Rejects texts during `phone doctor`: an SMSC may deliver waiting ones on a new connection, and
 * keeps those that are rejected.
 */
function listenForTexts(driver: Driver, senders: string[]): void {
  driver.listen?.({
    onText: async ({ from }) => {
      senders.push(from)
      throw new Error('No phone is running.')
    },
    onReceipt: () => {},
  })
}

function toHealthResult(
  { name, kind }: SetupDriver,
  health: DriverHealth | undefined,
): CheckResult {
  if (health === undefined) {
    const hint = 'Send a text: smsrelay phone test.'
    return createWarning(name, 'This driver cannot report its health.', hint)
  }
  const { ok, detail = ok ? 'It works.' : 'It does not work.' } = health
  if (ok) return createOk(name, detail)
  return createFailure(name, detail, `docs/reference/drivers.md explains the errors of ${kind}.`)
}

async function getHealth(driver: Driver, signal: AbortSignal): Promise<DriverHealth | undefined> {
  if (driver.health === undefined) return undefined
  const late = AbortSignal.any([signal, AbortSignal.timeout(healthTimeout)])
  const timeout = new Promise<DriverHealth>(resolve => {
    const detail = `It did not respond within ${healthTimeout / 1000} s.`
    late.addEventListener('abort', () => resolve({ ok: false, detail }), { once: true })
  })
  const reply = driver.health().catch(error => ({ ok: false, detail: errorText(error) }))
  const health = await Promise.race([reply, timeout])
  signal.throwIfAborted()
  return health
}

async function checkProgram({ name, options }: SetupDriver, env: Env): Promise<CheckResult> {
  const [program = ''] = splitCommand(options.command ?? '')
  const directories = program.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  for (const directory of directories) {
    const path = directory === '' ? program : join(directory, program)
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return createOk(name, `${path} is executable.`)
  }
  const hint = 'Use its full path in --option command=, and make it executable: chmod +x FILE'
  return createFailure(name, `There is no executable program ${program}.`, hint)
}
