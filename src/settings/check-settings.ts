import { isRelayError, RelayError } from '../errors.js'
import { toFlagName } from './setting.js'
import {
  type CheckedValues,
  listSettings,
  type SettingName,
  type SettingValues,
} from './settings.js'

export interface WrongSetting {
  readonly name: SettingName
  readonly error: RelayError
}

/**
 * Checks each setting and what they need of each other, and adds the defaults. A value that is
 * wrong counts as not given, so that all errors are found.
 */
export function checkSettings(given: SettingValues): {
  readonly values: CheckedValues
  readonly wrong: readonly WrongSetting[]
} {
  const wrong: WrongSetting[] = []
  const checked: Partial<Record<SettingName, unknown>> = {}
  for (const [name, row] of listSettings()) {
    const value = given[name] ?? row.default ?? (row.kind === 'switch' ? false : undefined)
    if (value === undefined) continue
    try {
      checked[name] = row.parse === undefined ? value : row.parse(value, toFlagName(name))
    } catch (error) {
      if (!isRelayError(error)) throw error
      wrong.push({ name, error })
    }
  }
  const values = checked as CheckedValues
  return { values, wrong: [...wrong, ...findContradictions(values)] }
}

function findContradictions(values: CheckedValues): WrongSetting[] {
  const { socket, baseUrl, smtpTlsPort, tlsCert, smtpCert } = values
  const wrong: WrongSetting[] = []
  const refuse = (name: SettingName, message: string, hint: string): void => {
    wrong.push({ name, error: new RelayError('usage', message, { hint }) })
  }
  for (const name of ['tls', 'smtp'] as const) {
    const [cert, key] = [`${name}Cert`, `${name}Key`] as const
    if (!values[cert] === !values[key] && values[cert] !== '' && values[key] !== '') continue
    const message = `--${name}-cert and --${name}-key belong together.`
    refuse(values[cert] === undefined ? key : cert, message, 'Set both, or neither.')
  }
  if (socket !== undefined && baseUrl === undefined) {
    const hint = 'Give the address of the proxy in front of the relay with --base-url.'
    refuse('socket', `The socket ${socket} needs a base URL for links.`, hint)
  }
  if (smtpTlsPort !== undefined && tlsCert === undefined && smtpCert === undefined) {
    const hint = 'Set --smtp-cert and --smtp-key, or --tls-cert and --tls-key.'
    refuse('smtpTlsPort', '--smtp-tls-port needs a certificate.', hint)
  }
  return wrong
}
