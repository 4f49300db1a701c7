import { expect } from 'vitest'
import { RelayError } from '../../../src/errors.js'

/** Expects a usage error whose message or hint names each of these values. */
export function expectUsageError(run: () => unknown, ...values: readonly string[]): void {
  let error: unknown
  try {
    run()
  } catch (caught) {
    error = caught
  }
  expect(error).toBeInstanceOf(RelayError)
  expect(error).toMatchObject({ code: 'usage' })
  const { message, hint = '' } = error as RelayError
  for (const value of values) expect(`${message} ${hint}`).toContain(value)
}
