import { RelayError } from '../../../../errors.js'
import { type DriverOptions, parseNumberOption } from '../../../driver-port/driver-options.js'

export function parseWholeOption(options: DriverOptions, name: string, min: number, max: number) {
  return parseNumberOption(options, name, { min, max, whole: true })
}

/** Parses a driver's option with a few values; the first if absent. Throws `usage`. */
export function parseChoiceOption<T extends string>(
  options: DriverOptions,
  name: string,
  known: readonly [T, ...T[]],
): T {
  const typed = options[name]?.trim().toLowerCase() ?? known[0]
  const found = known.find(each => each === typed)
  if (found !== undefined) return found
  throw new RelayError('usage', `${name} must be one of ${known.join(', ')}; not "${typed}".`)
}

/** Parses a driver's text option with a form; empty if absent. Throws `usage`. */
export function parseTextOption(
  options: DriverOptions,
  name: string,
  form: RegExp,
  allowed: string,
): string {
  const typed = options[name]?.trim() ?? ''
  if (typed === '' || form.test(typed)) return typed
  throw new RelayError('usage', `${name} must be ${allowed}; not "${typed}".`)
}
