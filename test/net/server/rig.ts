import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionLimits, connectionLimits } from '../../../src/domain/limits.js'
import { close, createHttpServer, listen } from '../../../src/net/server/http-server.js'
import { createApp } from '../../../src/server/app.js'
import type { ServerContext } from '../../../src/server/http/server-context.js'
import { AccountService } from '../../../src/server/services/accounts/account-service.js'
import { SignInThrottle } from '../../../src/server/services/accounts/sign-in-throttle.js'
import { TokenService } from '../../../src/server/services/accounts/token-service.js'
import { DoNotTextService } from '../../../src/server/services/messages/do-not-text-service.js'
import { MailboxService } from '../../../src/server/services/messages/mailbox-service.js'
import { MessageService } from '../../../src/server/services/messages/message-service.js'
import { SecretUrlService } from '../../../src/server/services/messages/secret-url-service.js'
import { ClaimService } from '../../../src/server/services/phones/claim-service.js'
import { PhoneService } from '../../../src/server/services/phones/phone-service.js'
import { ReceivedTextService } from '../../../src/server/services/phones/received-text-service.js'
import type { ServiceContext } from '../../../src/server/services/service-context.js'
import { StatisticsService } from '../../../src/server/services/statistics-service.js'
import { DeliveryLogService } from '../../../src/server/services/webhooks/delivery-log-service.js'
import { EventService } from '../../../src/server/services/webhooks/event-service.js'
import { SigningSecretService } from '../../../src/server/services/webhooks/signing-secret-service.js'
import { SubscriptionService } from '../../../src/server/services/webhooks/subscription-service.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'

/** How the service of a test is made. */
export interface RigSettings {
  /** Whether its server has the fast path. */
  readonly fast: boolean
  readonly limits?: Partial<ConnectionLimits>
  readonly now?: () => number
}

/** A service on a store of its own, whose ids are counted: to equal requests at equal times it gives equal replies. */
export async function openService({ fast, limits, now = Date.now }: RigSettings) {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-fast-'))
  const store = await openLowdbStore(dataDir)
  let count = 0
  const newId = () => {
    count += 1
    return `00000000-0000-7000-8000-${String(count).padStart(12, '0')}`
  }
  const settings = { ...connectionLimits, ...limits }
  const defects: unknown[] = []
  const parts = partsOf({ store, now, newId }, settings, defect => defects.push(defect))
  const app = createApp(parts)
  const server = createHttpServer(app.handle, settings, fast ? app.answer : undefined)
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  const { account, apiKey } = await parts.accounts.create({ email: 'ann@example.com' })
  const { token: api } = await parts.tokens.issue(account.secretKey, apiKey)
  const { token: phone } = await parts.tokens.issue(account.secretKey, account.appKey)
  const end = async () => {
    parts.claims.stop()
    parts.events.stop()
    if (server.listening) await close(server, 0)
    await store.close()
    await rm(dataDir, { recursive: true })
  }
  return { server, port, parts, account, tokens: { api, phone }, defects, end }
}

function partsOf(
  context: ServiceContext,
  limits: ConnectionLimits,
  reportDefect: (defect: unknown) => void,
): ServerContext {
  const subscriptions = new SubscriptionService(context)
  const messages = new MessageService(context)
  const tokens = new TokenService(context, 3_600_000)
  const resend = async () => await Promise.reject(new Error('Nothing is delivered here.'))
  return {
    ...{ subscriptions, messages, tokens, limits, reportDefect, now: context.now },
    accounts: new AccountService(context),
    mailboxes: new MailboxService(context, { domain: 'relay', receiving: false }),
    claims: new ClaimService(context, 60_000),
    phones: new PhoneService(context),
    statistics: new StatisticsService(context),
    received: new ReceivedTextService(context, { stop: new Set(), start: new Set() }),
    signingSecrets: new SigningSecretService(context),
    deliveries: new DeliveryLogService(context, subscriptions, resend),
    doNotText: new DoNotTextService(context),
    events: new EventService(context, tokens),
    signInThrottle: new SignInThrottle(context.now),
    secretUrls: new SecretUrlService(context, messages),
    secretUrlThrottle: new SignInThrottle(context.now),
    getClientAddress: () => 'client',
    getBaseUrl: ({ headers }) => `http://${headers.host}`,
    isSecure: () => false,
  }
}

/** The bytes of a request, with a length where there is a body. */
export function requestBytes(line: string, fields: Record<string, string> = {}, body = ''): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: 'relay', ...fields, ...length })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${line} HTTP/1.1\r\n${head}\r\n${body}`
}
