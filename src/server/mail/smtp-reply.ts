import { isRelayError } from '../../errors.js'

/** An SMTP error: a reply code, and a text with an enhanced status code (RFC 3463). */
export class SmtpRejection extends Error {
  readonly responseCode: number

  constructor(responseCode: number, text: string) {
    super(text)
    this.responseCode = responseCode
  }
}

/**
 * The SMTP reply for an error; after a 4yz reply the mail client tries again (RFC 5321, section
 * 4.2.1).
 */
export function toSmtpRejection(
  error: unknown,
  reportDefect: (error: unknown) => void,
): SmtpRejection {
  if (error instanceof SmtpRejection) return error
  if (isRelayError(error, 'too_many_requests')) {
    return new SmtpRejection(450, `4.7.1 ${error.message}`)
  }
  if (isRelayError(error, 'payload_too_large')) {
    return new SmtpRejection(552, `5.7.1 ${error.message}`)
  }
  if (isRelayError(error, 'invalid_parameter')) {
    return new SmtpRejection(550, `5.1.3 ${error.message}`)
  }
  if (isRelayError(error, 'invalid_token')) {
    return new SmtpRejection(550, '5.1.1 There is no such address.')
  }
  if (!isRelayError(error, 'unavailable')) reportDefect(error)
  return new SmtpRejection(451, '4.3.0 The relay cannot store this mail now; try again later.')
}
