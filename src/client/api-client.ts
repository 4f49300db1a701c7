import { phoneHeaders } from '../contract/phone-schema.js'
import { isPhoneLabel } from '../domain/phone/phone-status.js'
import { RelayError } from '../errors.js'
import { Transport, type TransportOptions } from './transport.js'

/** What every method that may wait takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** How a phone makes itself known to its relay (extension). */
export interface PhoneIdentity {
  /** 1 to 64 printable characters of ASCII. */
  readonly name: string
  /** How it sends texts, as the name. */
  readonly driver?: string | undefined
}

/** The header fields by which a phone makes itself known. Throws `usage`. */
export function createPhoneHeaders(phone: PhoneIdentity | undefined): Record<string, string> {
  if (phone === undefined) return {}
  const { name, driver } = phone
  for (const text of [name, driver]) {
    if (text === undefined || isPhoneLabel(text)) continue
    const rule = 'needs 1 to 64 printable characters of ASCII'
    throw new RelayError('usage', `The name of a phone or of its driver ${rule}: ${text}`)
  }
  return {
    [phoneHeaders.name]: name,
    ...(driver === undefined ? {} : { [phoneHeaders.driver]: driver }),
  }
}

/** Options of a client. Its constructor throws `usage` for a phone that cannot be called so. */
export interface ApiClientOptions extends TransportOptions {
  /** How a phone makes itself known with NEXT and its reports (extension). @default not at all */
  readonly phone?: PhoneIdentity
}

/** What all parts of a client share; each part extends the one before, as a class of many methods in several files. */
export abstract class ApiClient {
  protected readonly transport: Transport
  protected readonly phone: PhoneIdentity | undefined

  constructor(options: ApiClientOptions) {
    this.transport = new Transport(options)
    this.phone = options.phone
  }
}
