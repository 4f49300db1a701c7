import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getField, type PageRequest } from './page.js'

/** What confirming needs. */
export type ConfirmationContext = Pick<
  ServerContext,
  'tokens' | 'signInThrottle' | 'getClientAddress'
>

/** The name of the field with the password. */
export const passwordFieldName = 'password'

/** Why something was not confirmed. */
export interface ConfirmationFailure {
  readonly status: number
  readonly error: string
}

/**
 * Sees that whoever sent a form knows the password of the account that is signed in: a session that somebody else got
 * hold of is not enough. Guesses are held back as those of signing in. Undefined when it is right.
 */
export async function confirmPassword(
  { tokens, signInThrottle: guard, getClientAddress: remoteOf }: ConfirmationContext,
  visit: PageRequest,
): Promise<ConfirmationFailure | undefined> {
  const { account, request } = visit
  const guesser = { address: remoteOf(request), name: account.email }
  const password = getField(visit, passwordFieldName)
  try {
    await guard.attempt(guesser, async () => await tokens.confirmPassword(account, password))
    return undefined
  } catch (error) {
    if (isRelayError(error, 'invalid_client')) return { status: 403, error: 'It is wrong.' }
    if (isRelayError(error, 'too_many_requests')) return { status: 429, error: error.message }
    if (isRelayError(error, 'unavailable')) return { status: 503, error: error.message }
    throw error
  }
}
