import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Driver, DriverHealth } from '../../../phone/driver-port/driver.js'
import { createDriver } from '../../../phone/drivers/driver-registry.js'
import { splitCommand } from '../../../util/text/shell-words.js'
import { listSetupDrivers, type SetupDriver } from '../setup/driver-list.js'
import type { Setup } from '../setup/saved-setup.js'
import { checkSetup } from '../setup/setup-flags.js'
import { type CheckResult, createOkResult, createProblem, toFailedResult } from './check-result.js'

type Env = Readonly<Record<string, string | undefined>>

/** What {@link driverChecks} works with. */
export interface CheckDriversOptions {
  readonly env: Env
  readonly signal: AbortSignal
  /** Whether a phone with the same journal is at work now. */
  readonly isRunning: boolean
  /** Milliseconds a driver may take to say how it is. @default 45000 */
  readonly timeout?: number
}

/** Drivers that have their device, or their account, for themselves. */
const exclusiveDrivers: readonly string[] = ['modem', 'gammu', 'smpp']

/** Looks at the settings of the drivers, then asks each how its telephony is. No text is sent. */
export async function* checkDrivers(
  setup: Setup,
  options: CheckDriversOptions,
): AsyncGenerator<CheckResult> {
  try {
    await checkSetup(setup, options.env)
  } catch (error) {
    yield toFailedResult('settings', error)
    return
  }
  const drivers = listSetupDrivers(setup)
  yield createOkResult('settings', `Complete: ${drivers.map(({ name }) => name).join(', ')}.`)
  for (const driver of drivers) yield* checkDriver(driver, options)
}

async function* checkDriver(
  one: SetupDriver,
  options: CheckDriversOptions,
): AsyncGenerator<CheckResult> {
  const { name, kind } = one
  if (kind === 'exec') return void (yield await checkProgram(one, options.env))
  if (kind === 'simulate') {
    const hint = 'For real texts choose another --driver.'
    return void (yield createProblem('warning', name, 'It only pretends to send.', hint))
  }
  if (options.isRunning && exclusiveDrivers.includes(kind)) {
    const hint = 'To have it checked, stop that phone.'
    const detail = 'Not asked, for the phone that runs is using it.'
    return void (yield createProblem('warning', name, detail, hint))
  }
  const incoming: string[] = []
  await using driver = createDriver(kind, one.options, { env: options.env })
  // An SMSC may hand over what waits for this account as soon as there is a line.
  if (kind === 'smpp') {
    driver.listen?.({
      onText: async ({ from }) => {
        incoming.push(from)
        // Refused, so that the SMSC keeps it for the phone.
        throw new Error('nobody listens')
      },
      onReceipt: () => {},
    })
  }
  yield toHealthResult(one, await getHealth(driver, options))
  for (const from of incoming) {
    yield createProblem('warning', name, `A text from ${from} waits; it comes when the phone runs.`)
  }
}

function toHealthResult(
  { name, kind }: SetupDriver,
  health: DriverHealth | undefined,
): CheckResult {
  if (health === undefined) {
    return createProblem(
      'warning',
      name,
      'It cannot tell how it is.',
      'Try a text: smsrelay phone test.',
    )
  }
  const { ok, detail = ok ? 'It works.' : 'It does not work.' } = health
  if (ok) return createOkResult(name, detail)
  return createProblem(
    'failed',
    name,
    detail,
    `docs/phones.md has the errors of ${kind} and what helps.`,
  )
}

/** A driver that does not answer is not waited for. */
async function getHealth(
  driver: Driver,
  { signal, timeout = 45_000 }: CheckDriversOptions,
): Promise<DriverHealth | undefined> {
  if (driver.health === undefined) return undefined
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
  const noAnswer = new Promise<DriverHealth>(resolve => {
    const detail = `It did not answer in ${Math.round(timeout / 1000)} s.`
    late.addEventListener('abort', () => resolve({ ok: false, detail }), { once: true })
  })
  const asked = driver.health().catch((error: Error) => ({ ok: false, detail: error.message }))
  const health = await Promise.race([asked, noAnswer])
  signal.throwIfAborted()
  return health
}

async function checkProgram({ name, options }: SetupDriver, env: Env): Promise<CheckResult> {
  const [program = ''] = splitCommand(options.command ?? '')
  const directories = program.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  for (const directory of directories) {
    const path = directory === '' ? program : join(directory, program)
    const may = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (may) return createOkResult(name, `${path} can be run.`)
  }
  const hint = 'Give its whole path in --command, and make it executable: chmod +x FILE'
  return createProblem('failed', name, `There is no program ${program} that may be run.`, hint)
}
