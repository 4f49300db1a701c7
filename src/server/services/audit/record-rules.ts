import type { Account } from '../../../domain/account/account.js'
import type { AuditAction } from '../../../domain/audit/audit-entry.js'
import type { BulkAction } from '../../../domain/message/bulk-action.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { pluralize } from '../../../util/text/plural.js'
import type { DoNotTextService } from '../messages/do-not-text-service.js'
import type { MessageBulkService } from '../messages/message-bulk-service.js'
import type { MessageService } from '../messages/message-service.js'
import type { SecretUrlService } from '../messages/secret-url-service.js'
import type { PhoneService } from '../phones/phone-service.js'
import type { DeliveryLogService } from '../webhooks/delivery-log-service.js'
import type { SigningSecretService } from '../webhooks/signing-secret-service.js'
import type { SubscriptionService } from '../webhooks/subscription-service.js'
import {
  type AuditDraft,
  type AuditRules,
  type CallChanges,
  listChanged,
  recordRule,
  toTarget,
} from './audit-rules.js'

export const subscriptionRules: AuditRules<SubscriptionService> = {
  create: recordRule('subscription.create', 'subscription'),
  edit: recordRule(
    'subscription.change',
    'subscription',
    (_, __: Account, ___: string, ____: string, changes: object) => listChanged(changes),
  ),
  pause: recordRule('subscription.pause', 'subscription'),
  resume: recordRule('subscription.resume', 'subscription'),
  skip: recordRule('subscription.skip', 'subscription'),
  replay: recordRule(
    'subscription.replay',
    'subscription',
    (_, __: Account, ___: string, from: number) => `from ${from}`,
  ),
  remove: recordRule('subscription.delete', 'subscription'),
}

const shownSecret = { action: 'signing_secret.show', isRepeated: true } as const

export const signingSecretRules: AuditRules<SigningSecretService> = {
  get: { after: (_, { id: account }) => ({ account, ...shownSecret }) },
  getForSubscription: {
    after: (_, { id: account }, id) => ({
      ...{ account, ...shownSecret, target: { kind: 'subscription', id } },
    }),
  },
  rotate: ({ changes }, { id: account }) =>
    changes.find('account') && { account, action: 'signing_secret.replace' },
  rotateForSubscription: recordRule('signing_secret.replace', 'subscription'),
  removeForSubscription: recordRule('signing_secret.remove', 'subscription'),
}

export const deliveryLogRules: AuditRules<DeliveryLogService> = {
  test: {
    before: (subscription: Subscription) => describeWebhook('subscription.test', subscription),
  },
  resend: {
    before: (subscription: Subscription, _account, _id, sequence) => ({
      ...describeWebhook('delivery.resend', subscription),
      detail: `event ${sequence}`,
    }),
  },
}

export const secretUrlRules: AuditRules<SecretUrlService> = {
  create: recordRule('secret_url.create', 'secret_url'),
  revoke: recordRule('secret_url.revoke', 'secret_url'),
}

/** Numbers are not in the audit log: it is read by more people than the list. */
export const doNotTextRules: AuditRules<DoNotTextService> = {
  add: describeNumbers('do_not_text.add'),
  remove: describeNumbers('do_not_text.remove'),
  addAll: describeNumbers('do_not_text.import', count => pluralize(count, 'number')),
}

/** A phone that was seen a moment ago is not in the store yet. */
export const phoneRules: AuditRules<PhoneService> = {
  forget: {
    commit: recordRule('phone.forget', 'phone'),
    after: ({ result: { name } }, { id: account }) => ({
      ...{ account, action: 'phone.forget', target: { kind: 'phone', name } },
    }),
  },
}

const bulkActionNames: Readonly<Record<BulkAction, AuditAction>> = {
  retry: 'message.retry',
  again: 'message.resend',
  cancel: 'message.cancel',
  lock: 'message.lock',
  unlock: 'message.unlock',
  delete: 'message.delete',
  undelete: 'message.undelete',
}

export const messageBulkRules: AuditRules<MessageBulkService> = {
  run: ({ changes }, { id: account }, _, action) => {
    const { length } = changes.list('message').filter(({ after }) => after?.status !== 'B')
    if (length === 0) return undefined
    return { account, action: bulkActionNames[action], detail: pluralize(length, 'message') }
  },
}

/** What people change at single messages; the messages themselves are the log of new ones. */
export const messageRules: AuditRules<MessageService> = {
  edit: describeMessage('message.change', (_, __, draft) => listChanged(draft)),
  remove: describeMessage('message.delete'),
  lock: describeMessage('message.lock'),
  unlock: describeMessage('message.unlock'),
  retry: describeMessage('message.retry'),
  undelete: describeMessage('message.undelete'),
}

function describeWebhook(action: AuditAction, subscription: Subscription): AuditDraft {
  const target = toTarget('subscription', subscription)
  return { account: subscription.account, action, target }
}

function describeNumbers(action: AuditAction, getDetail = (_: number): string => '') {
  return ({ changes }: { changes: CallChanges }, { scope }: { scope: string }) => {
    const { length } = changes.list('do_not_text')
    return length === 0 ? undefined : { account: scope, action, detail: getDetail(length) }
  }
}

function describeMessage<P extends unknown[]>(
  action: AuditAction,
  getDetail?: (account: Account, id: string, ...parameters: P) => string,
) {
  return (
    { changes }: { changes: CallChanges },
    account: Account,
    id: string,
    ...parameters: P
  ): AuditDraft | undefined => {
    if (changes.find('message') === undefined) return undefined
    const detail = getDetail?.(account, id, ...parameters)
    const target = { kind: 'message', id }
    return { account: account.id, action, target, ...(detail === undefined ? {} : { detail }) }
  }
}
