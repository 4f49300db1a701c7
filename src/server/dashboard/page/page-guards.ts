import { isRelayError, RelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import { type ConfirmationErrors, passwordFieldName } from '../components/confirmation-fields.js'
import {
  checkSecondFactor,
  describeWrongFactor,
  type SecondFactorContext,
} from '../session/second-factor-check.js'
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

export type ConfirmationContext = SecondFactorContext &
  Pick<ServerContext, 'tokens' | 'signInThrottle' | 'getClientAddress'>

export interface ConfirmationFailure {
  readonly status: number
  readonly errors: ConfirmationErrors
}

/**
 * Checks the password that confirms a dashboard form, and the second factor of somebody who has
 * one, so that a stolen session alone is not enough. Wrong passwords count as failed sign-ins and
 * are throttled with them. Undefined if both are right.
 */
export async function confirmIdentity(
  context: ConfirmationContext,
  request: PageRequest,
): Promise<ConfirmationFailure | undefined> {
  const { caller, http, fields, session: secret } = request
  const password = getField(request, passwordFieldName)
  const client = { address: context.getClientAddress(http), name: getSignerEmail(caller) } as const
  try {
    await context.signInThrottle.attempt({ ...client, kind: 'password' }, async () => {
      await context.tokens.confirmPassword(caller, password)
    })
  } catch (error) {
    return toFailure(error, 'password', 'The password is wrong.')
  }
  if (request.secondFactor === undefined) return undefined
  try {
    await checkSecondFactor(context, http, { signer: caller, secret }, fields)
    return undefined
  } catch (error) {
    return toFailure(error, 'code', describeWrongFactor(request.secondFactor))
  }
}

function toFailure(
  error: unknown,
  field: keyof ConfirmationErrors,
  wrong: string,
): ConfirmationFailure {
  if (isRelayError(error, 'invalid_client')) return { status: 403, errors: { [field]: wrong } }
  if (!isRelayError(error, 'too_many_requests') && !isRelayError(error, 'unavailable')) throw error
  const status = error.code === 'unavailable' ? 503 : 429
  return { status, errors: { [field]: error.message } }
}
