import type { AuditOrigin } from '../../../domain/audit/audit-entry.js'
import { isRelayError } from '../../../errors.js'
import { allResources } from '../../../resources/resources.js'
import { getAudit, getOrigin, withAudit } from '../../store/audit-scope.js'
import type { ResourceServices } from '../resource-service.js'
import type { Announce } from '../service-context.js'
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
import { type AnyRule, type CallRules, resourceRules, type Verb } from './audit-rules.js'
import type { AuditService } from './audit-service.js'
import { contactRules } from './contact-rules.js'
import {
  deliveryLogRules,
  doNotTextRules,
  messageBulkRules,
  messageRules,
  phoneRules,
  secretUrlRules,
  signingSecretRules,
  subscriptionRules,
} from './record-rules.js'

/** Makes the methods that have rules append to the audit log whenever they act for somebody. */
export function auditService(service: object, rules: object, audit: AuditService): void {
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
    describe: changes => commit?.({ changes, origin }, ...parameters),
    ...(separate && { describeSeparately: changes => separate({ changes }) }),
  })
  const result = await withAudit(call, async () => await method(...parameters))
  await call.finish(audit.store)
  if (after && !call.hasEntry) await audit.record(origin, after({ result }, ...parameters))
  return result
}

const resourceServiceRules = Object.fromEntries(
  allResources.map(each => [each.plural, resourceRules(each as never)]),
) as Record<keyof ResourceServices, object>

const allRules = {
  ...resourceServiceRules,
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
  doNotText: doNotTextRules,
  contacts: contactRules,
  phones: phoneRules,
  messages: messageRules,
  messageBulk: messageBulkRules,
}

/** Makes services append to the audit log what they do in `actFor`. */
export function auditServices(
  services: { readonly [N in keyof typeof allRules]: object },
  audit: AuditService,
): void {
  for (const [name, rules] of Object.entries(allRules))
    auditService(services[name as keyof typeof allRules], rules, audit)
}
