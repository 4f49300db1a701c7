import { RelayError } from '../../../errors.js'
import {
  type DriverOptions,
  number,
  type OptionValues,
  parseChoice,
  parsed,
  readOptions,
  text,
  whole,
  yesNo,
} from '../../driver-port/driver-options.js'

export const faults = ['failure', 'retry', 'fail', 'trouble', 'unknown', 'lost', 'hang'] as const

export type Fault = (typeof faults)[number]

const time = { unit: 'milliseconds' } as const

/** A share of all texts, 0 to 1. */
const share = () => number(0, 1, { absent: 0 })

export const simulateOptions = {
  delay: number(0, 600_000, { ...time, absent: 0 }),
  jitter: number(0, 600_000, { ...time, absent: 0 }),
  outbox: text(),
  seed: whole(0, 2 ** 32 - 1),
  'failure-rate': share(),
  'retry-rate': share(),
  'fail-rate': share(),
  'trouble-rate': share(),
  'unknown-rate': share(),
  'lost-rate': share(),
  'hang-rate': share(),
  'duplicate-rate': share(),
  /** The step at which the driver crashes the process: before or after a text is sent. */
  crash: parsed((typed, name) => parseChoice(typed, name, ['before', 'after'])),
  'crash-rate': number(0, 1),
  'incoming-rate': share(),
  'incoming-text': parsed(typed => typed, { absent: 'Simulated answer.' }),
  'report-rate': share(),
  /** Of the receipts: those that say undelivered, and those that come twice. */
  'report-fail-rate': share(),
  'report-duplicate-rate': share(),
  /** After the text; without it, a receipt comes before the text counts as sent. */
  'report-delay': number(0, 600_000, time),
  /** Whether receipts have the decimal form of the hexadecimal ids. */
  'report-decimal': yesNo(),
}

export type SimulateSettings = OptionValues<typeof simulateOptions>

export function parseSimulateSettings(options: DriverOptions): SimulateSettings {
  const values = readOptions(simulateOptions, options)
  const sum = faults.reduce((all, fault) => all + values[`${fault}-rate`], 0)
  if (sum > 1 + 1e-9) {
    const names = faults.map(fault => `${fault}-rate`).join(', ')
    throw new RelayError('usage', `The sum of ${names} must not exceed 1; it is ${sum}.`)
  }
  if (values.crash !== undefined || values['crash-rate'] === undefined) return values
  throw new RelayError('usage', 'crash-rate needs crash=before or crash=after.')
}
