import type { TokenReply } from '../../contract/user-schema.js'
import type { TokenKind } from '../../domain/account/account.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { Reply, RequestFacts } from '../../net/server/routed-request.js'
import { basicCredentials } from '../http/authenticate.js'
import type { RemoteOf } from '../http/client-address.js'
import { keepSecret } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { OpenRoutes } from '../http/route.js'
import type { GuessGuard } from '../services/accounts/sign-in-throttle.js'
import type { TokenService } from '../services/accounts/token-service.js'

const scopes: Record<TokenKind, string> = {
  api: '/api/1/*',
  app: '/api/1/message /api/1/message/*',
  login: '/api/1/*',
}

/** What issuing and revoking tokens stands on. */
export interface OauthParts {
  readonly tokens: TokenService
  readonly guard: GuessGuard
  readonly remoteOf: RemoteOf
}

/** Issuing and revoking tokens (SPEC.md section 4.1). */
export function oauthRoutes(parts: OauthParts): OpenRoutes {
  const { tokens } = parts
  const revoke = async (token: unknown): Promise<string> => {
    if (typeof token !== 'string' || token === '') {
      throw new RelayError('invalid_request', '`token` is required: the token to revoke.')
    }
    await tokens.revoke(token)
    return '{}'
  }
  return {
    '/oauth': { GET: async (request, response) => await issue(parts, request, response) },
    '/oauth/revoke': {
      GET: async request => await revoke(request.query.token),
      POST: async request => await revoke((await readFields(request, limits.openBody)).token),
    },
  }
}

async function issue(
  { tokens, guard, remoteOf }: OauthParts,
  request: RequestFacts,
  response: Reply,
): Promise<string> {
  const { user, password } = basicCredentials(request)
  const guesser = { address: remoteOf(request), name: user }
  const issued = await guard.attempt(guesser, async () => await tokens.issue(user, password))
  keepSecret(response)
  const reply: TokenReply = {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: scopes[issued.kind],
  }
  return JSON.stringify(reply)
}
