import type { AuditOrigin } from '../../../domain/audit/audit-entry.js'
import { isRelayError } from '../../../errors.js'
import type { Store } from '../../store/store.js'
import type { AccountService } from '../accounts/account-service.js'
import type { SecondFactorService } from '../accounts/second-factor-service.js'
import type { SignInThrottle } from '../accounts/sign-in-throttle.js'
import type { TokenService } from '../accounts/token-service.js'
import type { ContactService } from '../contacts/contact-service.js'
import type { GroupService } from '../contacts/group-service.js'
import type { TemplateService } from '../contacts/template-service.js'
import type { AccountLimitService } from '../limits/account-limit-service.js'
import type { DoNotTextService } from '../messages/do-not-text-service.js'
import type { MailboxService } from '../messages/mailbox-service.js'
import type { MessageBulkService } from '../messages/message-bulk-service.js'
import type { MessageService } from '../messages/message-service.js'
import type { SecretUrlService } from '../messages/secret-url-service.js'
import type { InvitationService } from '../people/invitation-service.js'
import type { PersonService } from '../people/person-service.js'
import type { PhoneService } from '../phones/phone-service.js'
import type { Announce } from '../service-context.js'
import type { PasskeyService } from '../sign-in/passkey-service.js'
import type { SessionService } from '../sign-in/session-service.js'
import type { DeliveryLogService } from '../webhooks/delivery-log-service.js'
import type { SigningSecretService } from '../webhooks/signing-secret-service.js'
import type { SubscriptionService } from '../webhooks/subscription-service.js'
import {
  accountLimitRules,
  accountRules,
  invitationRules,
  passkeyRules,
  personRules,
  secondFactorRules,
  sessionRules,
  signInThrottleRules,
  tokenRules,
} from './account-rules.js'
import type { AnyRule, AuditRules, CallRules, Verb } from './audit-rules.js'
import type { AuditService } from './audit-service.js'
import { contactRules, groupRules, templateRules } from './contact-rules.js'
import {
  deliveryLogRules,
  doNotTextRules,
  mailboxRules,
  messageBulkRules,
  messageRules,
  phoneRules,
  secretUrlRules,
  signingSecretRules,
  subscriptionRules,
} from './record-rules.js'

interface StoredService<S> {
  withStore(store: Store): S
}

interface Acting {
  readonly audit: Pick<AuditService, 'record' | 'begin' | 'store'>
  readonly origin: AuditOrigin
}

/**
 * A service that acts for somebody: each method does what it does in `service`, and its changes are
 * committed together with an entry of the audit log.
 */
function auditService<S extends object>(service: S, rules: AuditRules<S>, acting: Acting): S {
  const byName = rules as unknown as Readonly<Record<string, AnyRule | undefined>>
  return new Proxy(service, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const rule = Object.hasOwn(rules, name) ? byName[String(name)] : undefined
      if (rule === undefined || rule === 'none') return value.bind(target)
      return async (...parameters: never[]) =>
        await runAudited(target, String(name), rule, parameters, acting)
    },
  })
}

async function runAudited(
  service: object,
  name: string,
  rule: Exclude<AnyRule, 'none'>,
  parameters: never[],
  { audit, origin }: Acting,
): Promise<unknown> {
  const call = async (on: object, ...more: never[]): Promise<unknown> =>
    await (on as Readonly<Record<string, Verb>>)[name]?.(...parameters, ...more)
  if ('before' in rule) {
    const announce: Announce<never> = async subject =>
      await audit.record(origin, rule.before(subject, ...parameters))
    return await call(service, announce as never)
  }
  if ('refused' in rule) {
    return await call(service).catch(async (error: unknown) => {
      const isRefused = isRelayError(error, 'too_many_requests')
      if (isRefused) await audit.record(origin, rule.refused(...parameters))
      throw error
    })
  }
  const { commit, separate, after }: CallRules<Verb> =
    typeof rule === 'function' ? { commit: rule } : rule
  const { store } = audit
  const audited = audit.begin(origin, {
    describe: changes => commit?.({ changes, origin }, ...parameters),
    ...(separate && { describeSeparately: changes => separate({ changes }) }),
  })
  const isStored = commit !== undefined
  const acting = isStored
    ? (service as StoredService<object>).withStore(store.withAudit(audited))
    : service
  const result = await call(acting)
  await audited.finish(store)
  if (after && !audited.hasEntry) await audit.record(origin, after({ result }, ...parameters))
  return result
}

interface AuditableServices {
  readonly accounts: AccountService
  readonly accountLimits: AccountLimitService
  readonly people: PersonService
  readonly invitations: InvitationService
  readonly tokens: TokenService
  readonly signInThrottle: SignInThrottle
  readonly secondFactors: SecondFactorService
  readonly passkeys: PasskeyService
  readonly sessions: SessionService
  readonly subscriptions: SubscriptionService
  readonly signingSecrets: SigningSecretService
  readonly deliveryLog: DeliveryLogService
  readonly secretUrls: SecretUrlService
  readonly mailboxes: MailboxService
  readonly doNotText: DoNotTextService
  readonly contacts: ContactService
  readonly groups: GroupService
  readonly templates: TemplateService
  readonly phones: PhoneService
  readonly messages: MessageService
  readonly messageBulk: MessageBulkService
}

const allRules: { readonly [N in keyof AuditableServices]: AuditRules<AuditableServices[N]> } = {
  accounts: accountRules,
  accountLimits: accountLimitRules,
  people: personRules,
  invitations: invitationRules,
  tokens: tokenRules,
  signInThrottle: signInThrottleRules,
  secondFactors: secondFactorRules,
  passkeys: passkeyRules,
  sessions: sessionRules,
  subscriptions: subscriptionRules,
  signingSecrets: signingSecretRules,
  deliveryLog: deliveryLogRules,
  secretUrls: secretUrlRules,
  mailboxes: mailboxRules,
  doNotText: doNotTextRules,
  contacts: contactRules,
  groups: groupRules,
  templates: templateRules,
  phones: phoneRules,
  messages: messageRules,
  messageBulk: messageBulkRules,
}

/** Makes services act for somebody: their changes are in the audit log. */
export function auditServices<S extends Partial<AuditableServices>>(
  services: S,
  audit: Acting['audit'],
  origin: AuditOrigin,
): S {
  const acting = Object.entries(allRules).flatMap(([name, rules]) => {
    const service = services[name as keyof AuditableServices]
    return service === undefined
      ? []
      : [[name, auditService(service, rules as never, { audit, origin })]]
  })
  return { ...services, ...Object.fromEntries(acting) }
}
