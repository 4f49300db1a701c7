import { type PhoneNetwork, pickNetworkFields } from '../../domain/phone/phone-network.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import type { Driver } from '../driver-port/driver.js'
import type { QuietHours } from '../quiet-hours/quiet-hours.js'
import type { PhoneClient } from './phone-client.js'

interface NetworkReporterOptions {
  readonly driver: Pick<Driver, 'readNetwork'>
  /** Maximum rates of the phone, in parts. @default none */
  readonly rates?: readonly string[] | undefined
  readonly client: Pick<PhoneClient, 'status'>
  readonly quiet?: QuietHours | undefined
  readonly clock: Clock
  readonly stop: AbortSignal
}

/** Milliseconds before the first report: the driver opens its connection first. */
const firstDelay = 10_000
const reportInterval = 5 * 60_000

/** Reports the network of a phone until stopped. Errors are ignored. Never rejects. */
export async function runNetworkReporter(options: NetworkReporterOptions): Promise<void> {
  const { driver, rates, client, quiet, clock, stop } = options
  if ((rates ?? driver.readNetwork) === undefined) return
  for (let delay = firstDelay; ; delay = reportInterval) {
    await runWithSignal([stop], async signal => await clock.sleep(delay, signal))
    if (stop.aborted) return
    const rate = rates?.join(', ')
    const network = pickNetworkFields({ ...(await readNetwork(driver)), rate })
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
