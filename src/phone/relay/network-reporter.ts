import { type PhoneNetwork, pickNetworkFields } from '../../domain/phone/phone-network.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import type { Driver } from '../driver-port/driver.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import type { PhoneClient } from './phone-client.js'

export interface NetworkReportOptions {
  /** USSD code with which the phone asks for its balance. @default it does not ask */
  readonly balanceUssd?: string | undefined
  /** Maximum rates of the phone, in parts. @default none */
  readonly rates?: readonly string[] | undefined
}

interface NetworkReporterOptions {
  readonly driver: Pick<Driver, 'readNetwork' | 'queryUssd'>
  readonly report: NetworkReportOptions
  readonly client: Pick<PhoneClient, 'status'>
  readonly quiet?: QuietHours | undefined
  readonly clock: Clock
  readonly stop: AbortSignal
}

/** Milliseconds before the first report: the driver opens its connection first. */
const firstDelay = 10_000
const reportInterval = 5 * 60_000
/** Milliseconds between questions for the balance, which some networks count as calls. */
const balanceInterval = 6 * 60 * 60_000
const maxBalanceLength = 160

/** Reports the network of a phone until stopped. Errors are ignored. Never rejects. */
export async function runNetworkReporter(options: NetworkReporterOptions): Promise<void> {
  const { driver, report, client, quiet, clock, stop } = options
  if ((report.balanceUssd ?? report.rates ?? driver.readNetwork) === undefined) return
  let balance: string | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  for (let delay = firstDelay; ; delay = reportInterval) {
    await runWithSignal([stop], async signal => await clock.sleep(delay, signal))
    if (stop.aborted) return
    if (report.balanceUssd !== undefined && clock.monotonic() - askedAt >= balanceInterval) {
      askedAt = clock.monotonic()
      balance = (await readBalance(driver, report.balanceUssd, stop)) ?? balance
    }
    const rate = report.rates?.join(', ')
    const network = pickNetworkFields({ ...(await readNetwork(driver)), balance, rate })
    if (network === undefined) continue
    const end = quiet?.getEnd(clock.now())
    const fields = end === undefined ? network : { ...network, quiet_until: formatDateTime(end) }
    await client.status.reportPresence(fields, { signal: stop }).catch(() => {})
  }
}

async function readNetwork(driver: Pick<Driver, 'readNetwork'>): Promise<PhoneNetwork> {
  try {
    return (await driver.readNetwork?.()) ?? {}
  } catch {
    return {}
  }
}

async function readBalance(
  driver: Pick<Driver, 'queryUssd'>,
  code: string,
  stop: AbortSignal,
): Promise<string | undefined> {
  try {
    const reply = await driver.queryUssd?.(code, stop)
    return reply
      ?.replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxBalanceLength)
      .toWellFormed()
  } catch {
    return undefined
  }
}
