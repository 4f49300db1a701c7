import { boolean, string } from '@oclif/core/flags'
import { driverNames } from '../../domain/phone/driver-names.js'
import { RelayError } from '../../errors.js'
import { commonOptions, driverKinds } from '../../phone/drivers/driver-registry.js'
import { parseInteger } from '../terminal/parse-values.js'

export const driverFlags = {
  driver: string({
    description: 'Driver that sends the texts (see below); repeatable as NAME=DRIVER.',
    helpValue: 'DRIVER',
    env: 'SMSRELAY_DRIVER',
    multiple: true,
    multipleNonGreedy: true,
  }),
  option: string({
    description: 'Option of the driver, or NAME.KEY=VALUE of a named driver; repeatable.',
    env: 'SMSRELAY_OPTION',
    helpValue: 'KEY=VALUE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  route: string({
    description: 'Drivers for a number prefix, in order: +49=a, *=b,a; repeatable.',
    env: 'SMSRELAY_ROUTE',
    helpValue: 'PREFIX=NAME',
    multiple: true,
    multipleNonGreedy: true,
  }),
}

export const runningFlags = {
  concurrency: string({
    description: 'Messages in flight with the driver, 1 to 1000.',
    env: 'SMSRELAY_PHONE_CONCURRENCY',
    defaultHelp: async () => "the driver's",
    helpValue: 'N',
  }),
  rate: string({
    description: 'Maximum rate in parts, evenly spaced: 1/s, 30/min, 500/h, 1000/d; repeatable.',
    env: 'SMSRELAY_PHONE_RATE',
    helpValue: 'PARTS/TIME',
    multiple: true,
    multipleNonGreedy: true,
  }),
  quiet: string({
    description: 'Hours without sending: 22:00-07:00, "mon-fri 20:00-24:00"; repeatable.',
    env: 'SMSRELAY_QUIET',
    helpValue: 'HOURS',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'time-zone': string({
    description: 'Time zone of the quiet hours, such as Europe/Berlin.',
    env: 'SMSRELAY_TIME_ZONE',
    defaultHelp: async () => "the system's",
    helpValue: 'ZONE',
  }),
  journal: string({
    description: 'Directory of the journal; each running phone needs its own.',
    defaultHelp: async () => 'one for each relay and account',
    helpValue: 'DIR',
    env: 'SMSRELAY_JOURNAL_DIR',
  }),
  'no-journal': boolean({
    description: 'Keep the journal in memory, where a crash loses it.',
    env: 'SMSRELAY_NO_JOURNAL',
  }),
  name: string({
    description: 'Name of this phone in `smsrelay status`.',
    defaultHelp: async () => "the host's name",
    helpValue: 'NAME',
    env: 'SMSRELAY_PHONE_NAME',
  }),
  listen: string({
    description: 'Serve webhooks of providers at this address, on 127.0.0.1 without a host.',
    helpValue: '[HOST:]PORT',
    env: 'SMSRELAY_PHONE_LISTEN',
  }),
  'no-forward': boolean({
    description: 'Show received texts without reporting them to the relay.',
    env: 'SMSRELAY_NO_FORWARD',
  }),
}

export const useFlag = {
  use: string({
    description: 'Saved setup of `phone setup`; other flags override it.',
    helpValue: 'NAME',
    env: 'SMSRELAY_PHONE_SETUP',
  }),
}

/** Options of a driver that its help names; the others are in the reference. */
const shownOptions = 4

export const driverHelp = [
  'Drivers and their options (docs/reference/drivers.md explains each):',
  ...driverNames.map(name => {
    const { about, options } = driverKinds[name]
    const names = Object.keys(options).filter(each => !commonOptions.includes(each))
    const shown = names.slice(0, shownOptions).join(', ')
    const others = names.length > shownOptions ? ' and others' : ''
    return `${name.padEnd(12)}${about}: ${shown}${others}`
  }),
].join('\n')

export function parseDriverOptions(flags: {
  readonly option?: readonly string[] | undefined
}): Record<string, string> {
  return Object.fromEntries((flags.option ?? []).map(parseOption))
}

export function parseConcurrency(typed: string | undefined): number | undefined {
  return typed === undefined ? undefined : parseInteger('--concurrency', typed, 1, 1000)
}

export function parseUssdCode(name: string, typed: string): string {
  const code = typed.trim()
  if (/^[*#\d]{1,160}$/.test(code)) return code
  throw new RelayError('usage', `${name} must have only digits, * and #; not "${typed}".`, {
    hint: "Put it into quotes: '*100#'.",
  })
}

/**
 * Parses the address of --listen, such as `8480` or `[::1]:8480`; by default on the loopback
 * interface. Throws `usage`.
 */
export function parsePhoneListen(text: string): { readonly host: string; readonly port: number } {
  const [, inBrackets, name, digits] =
    /^(?:(?:\[([\da-f:.]+)\]|([^:\s[\]]+)):)?(\d{1,5})$/i.exec(text.trim()) ?? []
  const port = Number(digits)
  if (digits !== undefined && port <= 65_535) {
    return { host: inBrackets ?? name ?? '127.0.0.1', port }
  }
  throw new RelayError('usage', `--listen must be [HOST:]PORT, not "${text}".`, {
    hint: 'Such as 8480, 0.0.0.0:8480 or [::1]:8480.',
  })
}

function parseOption(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new RelayError('usage', `--option must be KEY=VALUE, not "${text}".`)
}
