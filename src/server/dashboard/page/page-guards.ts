import { isRelayError, RelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import { passwordFieldName } from '../components/password-field.js'
import { getField, type PageHandler, type PageRequest, type Pages } from './page.js'

/** Restricts a dashboard page to the owner; other accounts get 404. */
export function restrictToOwner(
  { accounts }: Pick<ServerContext, 'accounts'>,
  pages: Pages,
): Pages {
  const restrict = (handler: PageHandler): PageHandler => {
    const restricted: PageHandler = async request => {
      if (await accounts.isOwner(request.account)) return await handler(request)
      throw new RelayError('not_found', `There is no page at ${request.http.path}.`)
    }
    return Object.assign(restricted, handler)
  }
  const restricted = Object.entries(pages).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, each]) => [name, restrict(each)] as const)
    return [path, Object.fromEntries(handlers)] as const
  })
  return Object.fromEntries(restricted)
}

export type ConfirmationContext = Pick<
  ServerContext,
  'tokens' | 'signInThrottle' | 'getClientAddress'
>

export interface ConfirmationFailure {
  readonly status: number
  readonly error: string
}

/**
 * Checks the password that confirms a dashboard form, so that a stolen session alone is not enough.
 * Wrong passwords count as failed sign-ins and are throttled with them. Undefined if the password
 * is right.
 */
export async function confirmPassword(
  { tokens, signInThrottle, getClientAddress }: ConfirmationContext,
  request: PageRequest,
): Promise<ConfirmationFailure | undefined> {
  const { caller, http } = request
  const password = getField(request, passwordFieldName)
  try {
    await signInThrottle.attempt(
      { address: getClientAddress(http), name: getSignerEmail(caller), kind: 'password' },
      async () => {
        await tokens.confirmPassword(caller, password)
      },
    )
    return undefined
  } catch (error) {
    if (isRelayError(error, 'invalid_client'))
      return { status: 403, error: 'The password is wrong.' }
    if (isRelayError(error, 'too_many_requests')) return { status: 429, error: error.message }
    if (isRelayError(error, 'unavailable')) return { status: 503, error: error.message }
    throw error
  }
}
