import type { Request } from 'express'
import type { TokenReply } from '../contract/user.js'
import type { TokenKind } from '../domain/account.js'
import { RelayError } from '../errors.js'
import type { TokenService } from '../services/tokens.js'
import { basicCredentials } from './auth.js'
import { readFields } from './body.js'
import type { OpenRoutes } from './routes.js'

const scopes: Record<TokenKind, string> = {
  api: '/api/1/*',
  app: '/api/1/message /api/1/message/*',
  login: '/api/1/*',
}

/** Issuing and revoking tokens (SPEC.md section 4.1). */
export function oauthRoutes(tokens: TokenService): OpenRoutes {
  const revoke = async (token: unknown): Promise<object> => {
    if (typeof token !== 'string' || token === '') {
      throw new RelayError('invalid_request', '`token` is required: the token to revoke.')
    }
    await tokens.revoke(token)
    return {}
  }
  return {
    '/oauth': { GET: async request => await issue(tokens, request) },
    '/oauth/revoke': {
      GET: async request => await revoke(request.query.token),
      POST: async request => await revoke((await readFields(request)).token),
    },
  }
}

async function issue(tokens: TokenService, request: Request): Promise<TokenReply> {
  const { user, password } = basicCredentials(request)
  const issued = await tokens.issue(user, password)
  return {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: scopes[issued.kind],
  }
}
