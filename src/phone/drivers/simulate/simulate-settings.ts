import { RelayError } from '../../../errors.js'
import {
  type DriverOptions,
  parseNumberOption,
  parseYesNoOption,
} from '../../driver-port/driver-options.js'

export const faults = ['failure', 'retry', 'fail', 'trouble', 'unknown', 'lost', 'hang'] as const

export type Fault = (typeof faults)[number]

/** The step at which the simulate driver crashes the process: before or after a text is sent. */
export type CrashStep = 'before' | 'after'

/** The settings of a simulated network; rates are shares of all texts, 0 to 1. */
export interface SimulateSettings {
  /** Milliseconds. */
  readonly delay: number
  /** Milliseconds; the maximum of the random part of the simulated delay. */
  readonly jitter: number
  readonly rates: Readonly<Record<Fault, number>>
  readonly duplicates: number
  readonly incoming: number
  readonly incomingText: string
  readonly reports: number
  /** Of the receipts: those that say undelivered, and those that come twice. */
  readonly failedReports: number
  readonly doubledReports: number
  /** Milliseconds after the text; without it, a receipt comes before the text counts as sent. */
  readonly reportDelay?: number
  /** Whether receipts have the decimal form of the hexadecimal ids. */
  readonly hasDecimalIds: boolean
  readonly crash?: CrashStep
  readonly crashes: number
  readonly outbox?: string
  readonly seed?: number
}

export const simulateOptions = [
  ...['delay', 'jitter', 'failure-rate', 'retry-rate', 'fail-rate', 'trouble-rate'],
  ...['unknown-rate', 'lost-rate', 'hang-rate', 'duplicate-rate', 'crash', 'crash-rate'],
  ...['outbox', 'incoming-rate', 'incoming-text', 'seed', 'report-rate', 'report-fail-rate'],
  ...['report-duplicate-rate', 'report-delay', 'report-decimal'],
] as const

export function parseSimulateSettings(options: DriverOptions): SimulateSettings {
  const time = { min: 0, max: 600_000, unit: 'milliseconds' }
  const rate = (name: string) => parseNumberOption(options, `${name}-rate`, { min: 0, max: 1 })
  const seed = parseNumberOption(options, 'seed', { min: 0, max: 2 ** 32 - 1, whole: true })
  const crash = parseCrashStep(options)
  const reportDelay = parseNumberOption(options, 'report-delay', time)
  return {
    delay: parseNumberOption(options, 'delay', time) ?? 0,
    jitter: parseNumberOption(options, 'jitter', time) ?? 0,
    rates: parseFaultRates(rate),
    duplicates: rate('duplicate') ?? 0,
    incoming: rate('incoming') ?? 0,
    incomingText: options['incoming-text'] ?? 'Simulated answer.',
    reports: rate('report') ?? 0,
    failedReports: rate('report-fail') ?? 0,
    doubledReports: rate('report-duplicate') ?? 0,
    ...(reportDelay === undefined ? {} : { reportDelay }),
    hasDecimalIds: parseYesNoOption(options, 'report-decimal'),
    ...(crash === undefined ? {} : { crash }),
    crashes: rate('crash') ?? (crash === undefined ? 0 : 1),
    ...(options.outbox === undefined ? {} : { outbox: options.outbox }),
    ...(seed === undefined ? {} : { seed }),
  }
}

function parseFaultRates(rate: (name: string) => number | undefined): Record<Fault, number> {
  const given = faults.map(fault => [fault, rate(fault) ?? 0] as const)
  const sum = given.reduce((all, [, each]) => all + each, 0)
  if (sum <= 1 + 1e-9) return Object.fromEntries(given) as Record<Fault, number>
  const names = faults.map(fault => `${fault}-rate`).join(', ')
  throw new RelayError('usage', `The sum of ${names} must not exceed 1; it is ${sum}.`)
}

function parseCrashStep(options: DriverOptions): CrashStep | undefined {
  const typed = options.crash?.trim()
  if (typed === 'before' || typed === 'after') return typed
  if (typed !== undefined) {
    throw new RelayError('usage', `crash must be before or after; not "${typed}".`)
  }
  if (options['crash-rate'] === undefined) return undefined
  throw new RelayError('usage', 'crash-rate needs crash=before or crash=after.')
}
