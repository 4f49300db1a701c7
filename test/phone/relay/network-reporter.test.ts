import { expect, test } from 'vitest'
import type { PresenceReport } from '../../../src/contract/phone-schema.js'
import { DriverError, type DriverNetwork } from '../../../src/phone/driver-port/driver.js'
import { createQuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import { runNetworkReporter } from '../../../src/phone/relay/network-reporter.js'
import { FakeClock } from '../../util/async/fake-clock.js'

const minute = 60_000

interface ReporterRig {
  readonly rates?: readonly string[]
  /** What the driver knows at each question; it fails at others. */
  readonly networks?: readonly DriverNetwork[]
  readonly quiet?: string
  readonly count: number
}

/** Runs the reporter until it has sent so many reports. */
async function collectReports({ rates, count, quiet, ...rig }: ReporterRig) {
  const clock = new FakeClock({ auto: true, start: Date.UTC(2026, 10, 20, 12) })
  const start = clock.now()
  const stop = new AbortController()
  const networks = [...(rig.networks ?? [])]
  const reports: (PresenceReport & { after: number })[] = []
  const readNetwork = async () => {
    const network = networks.shift()
    if (network === undefined) throw new DriverError('trouble', 'No answer.')
    return network
  }
  const status = {
    reportPresence: async (fields: PresenceReport = {}) => {
      reports.push({ after: (clock.now() - start) / minute, ...fields })
      if (reports.length === count) stop.abort()
    },
  }
  await runNetworkReporter({
    driver: rig.networks === undefined ? {} : { readNetwork },
    ...{ rates, client: { status }, clock, stop: stop.signal },
    quiet: quiet === undefined ? undefined : createQuietHours([quiet], 'UTC'),
  })
  return reports
}

test('a phone reports its network soon after its start, then every five minutes', async () => {
  const networks = [{ signal: '-71 dBm', operator: 'Übertel' }, { signal: '-73 dBm' }]
  const reports = await collectReports({ networks, count: 2 })
  expect(reports).toEqual([
    { after: 1 / 6, signal: '-71 dBm', operator: 'Übertel' },
    { after: 5 + 1 / 6, signal: '-73 dBm' },
  ])
})

test('a network that the driver cannot read is not reported until it can', async () => {
  const networks = [{}, {}, { signal: '60 %' }]
  const reports = await collectReports({ networks, count: 1 })
  expect(reports).toEqual([{ after: 10 + 1 / 6, signal: '60 %' }])
})

test('the maximum rates are reported, also without a network', async () => {
  const reports = await collectReports({ rates: ['30/min', '500/d'], count: 1 })
  expect(reports).toEqual([{ after: 1 / 6, rate: '30/min, 500/d' }])
})

test('a report in quiet hours has their end', async () => {
  const reports = await collectReports({ rates: ['1/s'], quiet: '11:00-13:00', count: 1 })
  expect(reports).toEqual([{ after: 1 / 6, rate: '1/s', quiet_until: '2026-11-20 13:00:00' }])
})

test('a phone that knows nothing of its network ends its reporter at once', async () => {
  expect(await collectReports({ count: 1 })).toEqual([])
})
