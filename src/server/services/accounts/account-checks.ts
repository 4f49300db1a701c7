import { type Account, type DeliveryMode, deliveryModes } from '../../../domain/account/account.js'
import { isEmailAddress } from '../../../domain/account/email-address.js'
import { limits } from '../../../domain/limits.js'
import { isCountry } from '../../../domain/sms/phone-number.js'
import { isTimeZone } from '../../../domain/time/zoned-time.js'
import { RelayError } from '../../../errors.js'

/**
 * Checks the e-mail address in a field of a request. An invisible character could make it look like
 * that of somebody else. Throws `invalid_parameter`.
 */
export function checkEmail(email: string, field = 'email'): string {
  if (isEmailAddress(email)) return email
  throw new RelayError(
    'invalid_parameter',
    `\`${field}\` must be an e-mail address, such as me@example.com.`,
  )
}

export function checkCountry(country: string): string {
  const code = country.toUpperCase()
  if (isCountry(code)) return code
  throw new RelayError(
    'invalid_parameter',
    '`country` must be an ISO 3166 code of two letters, such as US.',
  )
}

/** Settings that an account need not have; for the service, an empty text removes one. */
export type OptionalSettings = Partial<
  Record<'timeZone' | 'helpText' | 'stopText' | 'alerts' | 'receivedMail', string | undefined>
> & { readonly fewerParts?: boolean | undefined }

export function checkOptionalSettings(settings: OptionalSettings): OptionalSettings {
  const timeZone = settings.timeZone?.trim()
  const alerts = settings.alerts?.trim()
  const receivedMail = settings.receivedMail?.trim()
  if (timeZone && !isTimeZone(timeZone))
    throw new RelayError(
      'invalid_parameter',
      '`time_zone` must be a time zone, such as Europe/Berlin.',
    )
  return {
    timeZone,
    helpText: checkReplyText('help_text', settings.helpText),
    stopText: checkReplyText('stop_text', settings.stopText),
    alerts: alerts && checkEmail(alerts, 'alerts'),
    receivedMail: receivedMail && checkEmail(receivedMail, 'received_mail'),
    fewerParts: settings.fewerParts,
  }
}

/** Changes optional settings of an account for the service: undefined ones stay. */
export function changeOptionalSettings(account: Account, settings: OptionalSettings): Account {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  const names = new Set(entries.map(([name]) => name))
  const others = Object.entries(account).filter(([name]) => !names.has(name))
  const present = entries.filter(([, value]) => value !== '' && value !== false)
  return Object.fromEntries([...others, ...present]) as unknown as Account
}

function checkReplyText(field: string, text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? ''
  const isValid = trimmed.isWellFormed() && !trimmed.includes('\0')
  if (isValid && [...trimmed].length <= limits.text) return text === undefined ? text : trimmed
  throw new RelayError(
    'invalid_parameter',
    `\`${field}\` must have at most ${limits.text} characters of well-formed Unicode.`,
  )
}

export function checkMode(mode: DeliveryMode): DeliveryMode {
  if (deliveryModes.includes(mode)) return mode
  throw new RelayError('invalid_parameter', `\`mode\` must be ${deliveryModes.join(' or ')}.`)
}
