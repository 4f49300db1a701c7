import type { AuditOrigin } from '../../../domain/audit/audit-entry.js'
import { isRelayError } from '../../../errors.js'
import { getAudit, getOrigin, withAudit } from '../../store/audit-scope.js'
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

/** Makes the methods that have rules append to the audit log whenever they act for somebody. */
function auditService(service: object, rules: object, audit: AuditService): void {
  for (const [name, rule] of Object.entries(rules) as [string, AnyRule][]) {
    const method = (Reflect.get(service, name) as Verb).bind(service)
    const audited = async (...parameters: never[]): Promise<unknown> => {
      const origin = getOrigin()
      // A service that an audited call uses is part of the call.
      if (origin === undefined || getAudit() !== undefined) return await method(...parameters)
      return await runAudited({ method, parameters, rule }, audit, origin)
    }
    Object.defineProperty(service, name, { value: audited })
  }
}

interface Call {
  readonly method: Verb
  readonly parameters: never[]
  readonly rule: AnyRule
}

async function runAudited(
  { method, parameters, rule }: Call,
  audit: AuditService,
  origin: AuditOrigin,
): Promise<unknown> {
  if ('before' in rule) {
    const announce: Announce<never> = async subject =>
      await audit.record(origin, rule.before(subject, ...parameters))
    return await method(...parameters, announce as never)
  }
  if ('refused' in rule) {
    return await method(...parameters).catch(async (error: unknown) => {
      const isRefused = isRelayError(error, 'too_many_requests')
      if (isRefused) await audit.record(origin, rule.refused(...parameters))
      throw error
    })
  }
  const { commit, separate, after }: CallRules<Verb> =
    typeof rule === 'function' ? { commit: rule } : rule
  const call = audit.begin(origin, {
    describe: changes => commit({ changes, origin }, ...parameters),
    ...(separate && { describeSeparately: changes => separate({ changes }) }),
  })
  const result = await withAudit(call, async () => await method(...parameters))
  await call.finish(audit.store)
  if (after && !call.hasEntry) await audit.record(origin, after({ result }, ...parameters))
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

/** Makes services append to the audit log what they do in `actFor`. */
export function auditServices(services: Partial<AuditableServices>, audit: AuditService): void {
  for (const [name, rules] of Object.entries(allRules)) {
    const service = services[name as keyof AuditableServices]
    if (service !== undefined) auditService(service, rules, audit)
  }
}
