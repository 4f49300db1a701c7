import { type Account, type DeliveryMode, deliveryModes } from '../../../domain/account/account.js'
import { limits } from '../../../domain/limits.js'
import { isCountry } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'

/** Checks the e-mail address in a field of a request. Throws `invalid_parameter`. */
export function checkEmail(email: string, field = 'email'): string {
  if (/^[^\s@:]+@[^\s@:]+$/.test(email) && email.length <= 254) return email
  throw new RelayError(
    'invalid_parameter',
    `\`${field}\` must be an e-mail address, such as me@example.com.`,
  )
}

/** Checks an account's country code for the service. Throws `invalid_parameter`. */
export function checkCountry(country: string): string {
  const code = country.toUpperCase()
  if (isCountry(code)) return code
  throw new RelayError(
    'invalid_parameter',
    '`country` must be an ISO 3166 code of two letters, such as US.',
  )
}

interface ReplyTexts {
  readonly helpText?: string | undefined
  readonly stopText?: string | undefined
}

/**
 * Checks an account's automatic replies for the service, and leaves out those that do not change.
 */
export function checkReplyTexts({
  helpText,
  stopText,
}: ReplyTexts): Pick<Account, 'helpText' | 'stopText'> {
  const check = (field: string, text: string): string => {
    const isValid = text.isWellFormed() && !text.includes('\0')
    if (isValid && [...text].length <= limits.text) return text
    throw new RelayError(
      'invalid_parameter',
      `\`${field}\` must have at most ${limits.text} characters of well-formed Unicode.`,
    )
  }
  return {
    ...(helpText === undefined ? {} : { helpText: check('help_text', helpText.trim()) }),
    ...(stopText === undefined ? {} : { stopText: check('stop_text', stopText.trim()) }),
  }
}

/** Checks an account's delivery mode for the service. Throws `invalid_parameter`. */
export function checkMode(mode: DeliveryMode): DeliveryMode {
  if (deliveryModes.includes(mode)) return mode
  throw new RelayError('invalid_parameter', `\`mode\` must be ${deliveryModes.join(' or ')}.`)
}
