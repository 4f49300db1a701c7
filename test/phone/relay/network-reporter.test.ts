import { expect, test } from 'vitest'
import type { PresenceReport } from '../../../src/contract/phone-schema.js'
import { DriverError, type DriverNetwork } from '../../../src/phone/driver-port/driver.js'
import { createQuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import {
  type NetworkReportOptions,
  runNetworkReporter,
} from '../../../src/phone/relay/network-reporter.js'
import { FakeClock } from '../../util/async/fake-clock.js'

const minute = 60_000

interface ReporterRig {
  readonly report?: NetworkReportOptions
  /** What the driver knows at each question; it fails at others. */
  readonly networks?: readonly DriverNetwork[]
  readonly replies?: readonly string[]
  readonly quiet?: string
  readonly count: number
}

/** Runs the reporter until it has sent so many reports. */
async function collectReports({ report = {}, count, quiet, ...rig }: ReporterRig) {
  const clock = new FakeClock({ auto: true, start: Date.UTC(2026, 10, 20, 12) })
  const start = clock.now()
  const stop = new AbortController()
  const [networks, replies] = [[...(rig.networks ?? [])], [...(rig.replies ?? [])]]
  const codes: string[] = []
  const reports: (PresenceReport & { after: number })[] = []
  const take = <T>(answers: T[]): T => {
    const answer = answers.shift()
    if (answer === undefined) throw new DriverError('trouble', 'No answer.')
    return answer
  }
  const status = {
    reportPresence: async (fields: PresenceReport = {}) => {
      reports.push({ after: (clock.now() - start) / minute, ...fields })
      if (reports.length === count) stop.abort()
    },
  }
  await runNetworkReporter({
    driver: {
      ...(rig.networks && { readNetwork: async () => take(networks) }),
      queryUssd: async code => {
        codes.push(`${code} after ${Math.round((clock.now() - start) / minute)}`)
        return take(replies)
      },
    },
    ...{ report, client: { status }, clock, stop: stop.signal },
    quiet: quiet === undefined ? undefined : createQuietHours([quiet], 'UTC'),
  })
  return { reports, codes }
}

test('a phone reports its network soon after its start, then every five minutes', async () => {
  const networks = [{ signal: '-71 dBm', operator: 'Übertel' }, { signal: '-73 dBm' }]
  const { reports, codes } = await collectReports({ networks, count: 2 })
  expect(reports).toEqual([
    { after: 1 / 6, signal: '-71 dBm', operator: 'Übertel' },
    { after: 5 + 1 / 6, signal: '-73 dBm' },
  ])
  expect(codes).toEqual([])
})

test('a network that the driver cannot read is not reported until it can', async () => {
  const networks = [{}, {}, { signal: '60 %' }]
  const { reports } = await collectReports({ networks, count: 1 })
  expect(reports).toEqual([{ after: 10 + 1 / 6, signal: '60 %' }])
})

test('the balance is asked every six hours, and the last known one is reported', async () => {
  const report = { balanceUssd: '*100#', rates: ['30/min', '500/d'] }
  const replies = [' Balance:\r\n12.30 EUR\0 ']
  const { reports, codes } = await collectReports({ report, replies, count: 150 })
  expect(codes).toEqual(['*100# after 0', '*100# after 360', '*100# after 720'])
  const known = { balance: 'Balance: 12.30 EUR', rate: '30/min, 500/d' }
  expect(new Set(reports.map(({ after: _, ...fields }) => JSON.stringify(fields)))).toEqual(
    new Set([JSON.stringify(known)]),
  )
})

test('a report in quiet hours has their end', async () => {
  const report = { rates: ['1/s'] }
  const { reports } = await collectReports({ report, quiet: '11:00-13:00', count: 1 })
  expect(reports).toEqual([{ after: 1 / 6, rate: '1/s', quiet_until: '2026-11-20 13:00:00' }])
})

test('a phone that knows nothing of its network ends its reporter at once', async () => {
  expect(await collectReports({ count: 1 })).toEqual({ reports: [], codes: [] })
})
