import { deliveryRetention } from '../../domain/message/message-retention.js'
import { RelayError } from '../../errors.js'
import { parseRetention } from './parse-retention.js'

/** Checked settings of the delivery log; the oldest entries are deleted first. */
export interface DeliveryLogConfig {
  /** Setting: milliseconds for which the delivery log retains entries; whole days are deleted. */
  readonly age: number
  readonly bytes: number
}

const byteUnits: Readonly<Record<string, number>> = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
}

const minBytes = 64 * 1024

/** Parses the limits of the delivery log: an age, a size, or both with a comma. Throws `usage`. */
export function parseDeliveryLogConfig(text = '30d,1GiB'): DeliveryLogConfig {
  const defaults = { age: deliveryRetention, bytes: 1024 ** 3 }
  const parts = text.split(',').map(part => part.trim())
  const ages = parts.map(parseRetention).filter(isDefined)
  const sizes = parts.map(parseBytes).filter(isDefined)
  if (ages.length + sizes.length !== parts.length || ages.length > 1 || sizes.length > 1) {
    throw new RelayError(
      'usage',
      `The limits of the delivery log, ${text}, must be an age such as 30d, a size such as 1GiB ` +
        '(at least 64KiB), or both: 30d,1GiB.',
    )
  }
  return { age: ages[0] ?? defaults.age, bytes: sizes[0] ?? defaults.bytes }
}

function parseBytes(text: string): number | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,5})([KMGT]iB)$/.exec(text) ?? []
  const bytes = Number(digits) * (byteUnits[unit] ?? Number.NaN)
  return bytes >= minBytes && Number.isSafeInteger(bytes) ? bytes : undefined
}

function isDefined(value: number | undefined): value is number {
  return value !== undefined
}
