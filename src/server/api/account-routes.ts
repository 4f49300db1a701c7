import type { TokenReply } from '../../contract/user-schema.js'
import type { TokenKind } from '../../domain/account/account.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { parseBasicCredentials } from '../http/authenticate.js'
import { setNoStore } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { PublicRoutes } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'

const scopes: Record<TokenKind, string> = {
  api: '/api/1/*',
  app: '/api/1/message /api/1/message/*',
  login: '/api/1/*',
}

type TokenContext = Pick<ServerContext, 'tokens' | 'signInThrottle' | 'getClientAddress'>

/** Issuing and revoking tokens (SPEC.md section 4.1). */
export function createOauthRoutes(context: TokenContext): PublicRoutes {
  const { tokens } = context
  const revoke = async (token: unknown): Promise<string> => {
    if (typeof token !== 'string' || token === '') {
      throw new RelayError('invalid_request', '`token` is required: the token to revoke.')
    }
    await tokens.revoke(token)
    return '{}'
  }
  return {
    '/oauth': { GET: async (request, response) => await issueToken(context, request, response) },
    '/oauth/revoke': {
      GET: async request => await revoke(request.query.token),
      POST: async request => await revoke((await readFields(request, limits.openBody)).token),
    },
  }
}

async function issueToken(
  { tokens, signInThrottle, getClientAddress }: TokenContext,
  request: RequestMetadata,
  response: HttpResponse,
): Promise<string> {
  const { user, password } = parseBasicCredentials(request)
  const guesser = { address: getClientAddress(request), name: user }
  const issued = await signInThrottle.attempt(
    guesser,
    async () => await tokens.issue(user, password),
  )
  setNoStore(response)
  const reply: TokenReply = {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: scopes[issued.kind],
  }
  return JSON.stringify(reply)
}
