import {
  type SettingsReply,
  settingsEdit,
  toSettingsFields,
} from '../../contract/account-schema.js'
import type { PublicOperationId } from '../../contract/api/operations.js'
import type { Links } from '../../contract/schema/link-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { TokenReply, UserAppReply, UserReply } from '../../contract/user-schema.js'
import type { Account, TokenKind } from '../../domain/account/account.js'
import { describeDevice } from '../../domain/account/device-name.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { parseBasicCredentials } from '../http/authenticate.js'
import { readFields } from '../http/request-body.js'
import { createEntityTag, getPrecondition } from '../http/request-headers.js'
import { getQuery } from '../http/request-query.js'
import { type PublicRouteHandler, type RouteHandlers, sendHead, setNoStore } from '../http/route.js'
import { createAuditOrigin, type ServerContext } from '../http/server-context.js'
import { getSignerEmail } from '../services/accounts/signer.js'

const scopes: Record<TokenKind, string> = {
  api: '/api/1/*',
  app: '/api/1/message /api/1/message/*',
  login: '/api/1/*',
}

export function createTokenHandlers(
  context: ServerContext,
): Readonly<Record<PublicOperationId, PublicRouteHandler>> {
  const { audit, tokens } = context
  const act = async <T>(request: HttpRequest, response: HttpResponse, work: () => Promise<T>) =>
    await audit.actFor(createAuditOrigin(context, request, response, { kind: 'key' }), work)
  const revoke = async (
    request: HttpRequest,
    response: HttpResponse,
    token: unknown,
  ): Promise<string> => {
    if (typeof token !== 'string' || token === '') {
      throw new RelayError('invalid_request', '`token` is required: the token to revoke.')
    }
    if (request.method !== 'HEAD')
      await act(request, response, async () => await tokens.revoke(token))
    return '{}'
  }
  return {
    issueToken: async (request, response) =>
      await act(request, response, async () => await issueToken(context, request, response)),
    revokeToken: async (request, response) =>
      await revoke(request, response, getQuery(request).token),
    revokePostedToken: async (request, response) => {
      const { token } = await readFields(request, limits.openBody)
      return await revoke(request, response, token)
    },
  }
}

async function issueToken(
  { tokens, signInThrottle, getClientAddress }: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
): Promise<string | undefined> {
  const { user, password } = parseBasicCredentials(request)
  const kind = user.includes('@') ? 'password' : 'key'
  const address = getClientAddress(request)
  const code = request.headers['x-sign-in-code']
  const device = describeDevice(request.headers['user-agent'] ?? '')
  const attempt = { address, name: user, kind } as const
  setNoStore(response)
  if (request.method === 'HEAD') {
    await signInThrottle.attempt(attempt, async () => await tokens.check(user, password))
    return sendHead(response)
  }
  const issued = await signInThrottle.attempt(
    attempt,
    async () => await tokens.issue(user, password, { code, client: { device, address } }),
  )
  request.account = issued.account
  const reply: TokenReply = {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: scopes[issued.kind],
  }
  return JSON.stringify(reply)
}

export function createUserHandlers({
  accounts,
}: Pick<ServerContext, 'accounts'>): RouteHandlers<
  'getUser' | 'getUserApp' | 'getSettings' | 'editSettings'
> {
  return {
    getSettings: async ({ caller, response, base }) =>
      formatSettings(caller.account, response, base),
    editSettings: async ({ caller, request, response, base }) => {
      const check = getPrecondition(request, getSettingsTag)
      const input = parseInput(settingsEdit, await readFields(request))
      const { time_zone: timeZone, help_text: helpText, stop_text: stopText, alerts } = input
      const { fewer_parts: fewerParts, received_mail: receivedMail } = input
      const changes = { timeZone, helpText, stopText, alerts, fewerParts, receivedMail }
      const changed = await accounts.change(caller.account.email, changes, check)
      return formatSettings(changed, response, base)
    },
    getUser: async ({ caller, base }) => {
      const reply: UserReply = { user: { email: getSignerEmail(caller) }, links: createLinks(base) }
      return JSON.stringify(reply)
    },
    getUserApp: async ({ caller, response, base }) => {
      setNoStore(response)
      const { appKey, secretKey } = await accounts.getKeys(caller.account)
      const user = { app_key: appKey, secret_key: secretKey }
      const reply: UserAppReply = { user, links: createLinks(base) }
      return JSON.stringify(reply)
    },
  }
}

function getSettingsTag(account: Account): string {
  return createEntityTag(JSON.stringify(toSettingsFields(account)))
}

function formatSettings(account: Account, response: HttpResponse, base: string): string {
  response.setHeader('ETag', getSettingsTag(account))
  const url = `${base}/api/1/user/settings`
  const links = { get: { method: 'GET', url }, edit: { method: 'PATCH', url } }
  const reply: SettingsReply = { settings: toSettingsFields(account), links }
  return JSON.stringify(reply)
}

function createLinks(base: string): Links {
  return {
    get: { method: 'GET', url: `${base}/api/1/user` },
    app: { method: 'GET', url: `${base}/api/1/user/app` },
  }
}
