import { RelayError } from '../../errors.js'

export function requireInteger(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new RelayError('usage', `The ${name} ${value} must be an integer from ${min} to ${max}.`)
}

/**
 * Checks that all values of a group of limit settings are integers from `min` on. Throws `usage`.
 */
export function requireLimits<T extends object>(name: string, limits: T, min: number): T {
  for (const [key, value] of Object.entries(limits)) {
    requireInteger(`${name} ${key}`, value, min, 2 ** 31 - 1)
  }
  return limits
}
