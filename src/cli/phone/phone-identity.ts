import type { PhoneIdentity } from '../../client/relay-client.js'
import { isPhoneLabel, unknownPhone } from '../../domain/phone/phone-status.js'
import { RelayError } from '../../errors.js'

/** How a phone makes itself known: by the name it was given, else that of its host. Throws `usage`. */
export function createPhoneIdentity(
  given: string | undefined,
  host: string,
  driver: string,
): PhoneIdentity {
  if (given !== undefined && !isPhoneLabel(given)) {
    throw new RelayError('usage', '--name needs 1 to 64 printable characters of ASCII.')
  }
  return { name: given ?? toLabel(host, unknownPhone.name), driver: toLabel(driver, 'unknown') }
}

function toLabel(text: string, otherwise: string): string {
  const label = text
    .replace(/[^ -~]/g, '?')
    .slice(0, 64)
    .trim()
  return isPhoneLabel(label) ? label : otherwise
}
