import type { Account } from '../../../domain/account/account.js'
import type { AuditAction, AuditTarget } from '../../../domain/audit/audit-entry.js'
import type { BulkAction } from '../../../domain/message/bulk-action.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { BackupService } from '../backup-service.js'
import type { ContactService } from '../contacts/contact-service.js'
import type { GroupService } from '../contacts/group-service.js'
import type { TemplateService } from '../contacts/template-service.js'
import type { DoNotTextService } from '../messages/do-not-text-service.js'
import type { MailboxService } from '../messages/mailbox-service.js'
import type { MessageBulkService } from '../messages/message-bulk-service.js'
import type { MessageService } from '../messages/message-service.js'
import type { SecretUrlService } from '../messages/secret-url-service.js'
import type { PhoneService } from '../phones/phone-service.js'
import type { DeliveryLogService } from '../webhooks/delivery-log-service.js'
import type { SigningSecretService } from '../webhooks/signing-secret-service.js'
import type { SubscriptionService } from '../webhooks/subscription-service.js'
import { listChanged } from './account-rules.js'
import type { AuditRules } from './audit-rules.js'
import type { AuditDraft } from './audit-service.js'

function describe(
  action: AuditAction,
  account: Pick<Account, 'id'>,
  target?: AuditTarget,
  detail = '',
): AuditDraft {
  return { action, account: account.id, ...(target && { target }), detail }
}

function toTarget(kind: string, { id, name }: { id: string; name?: string | undefined }) {
  return { kind, id, ...(name === undefined || name === '' ? {} : { name }) }
}

/** The path and query of a webhook's address can be secret. */
function toSubscription({ id, event, url }: Subscription): AuditTarget {
  return { kind: 'subscription', id, name: `${event} to ${new URL(url).host}` }
}

const subscriptionId = (id: string): AuditTarget => ({ kind: 'subscription', id })

export const subscriptionRules: AuditRules<SubscriptionService> = {
  create: ({ result }, account) => describe('subscription.create', account, toSubscription(result)),
  edit: ({ result }, account, _, __, changes) =>
    describe('subscription.change', account, toSubscription(result), listChanged(changes)),
  pause: ({ result }, account) => describe('subscription.pause', account, toSubscription(result)),
  resume: ({ result }, account) => describe('subscription.resume', account, toSubscription(result)),
  skip: ({ result }, account) => describe('subscription.skip', account, toSubscription(result)),
  replay: ({ result }, account, _, from) =>
    describe('subscription.replay', account, toSubscription(result), `from ${from}`),
  remove: (_, account, id) => describe('subscription.delete', account, subscriptionId(id)),
  list: 'none',
  get: 'none',
  removeAbandoned: 'none',
  change: 'none',
}

export const signingSecretRules: AuditRules<SigningSecretService> = {
  rotate: (_, account) => describe('signing_secret.replace', account),
  rotateForSubscription: (_, account, id) =>
    describe('signing_secret.replace', account, subscriptionId(id)),
  removeForSubscription: (_, account, id) =>
    describe('signing_secret.remove', account, subscriptionId(id)),
  get: 'none',
  getForSubscription: 'none',
}

export const deliveryLogRules: AuditRules<DeliveryLogService> = {
  test: (_, account, id) => describe('subscription.test', account, subscriptionId(id)),
  resend: (_, account, id, sequence) =>
    describe('delivery.resend', account, subscriptionId(id), `event ${sequence}`),
  getState: 'none',
  list: 'none',
  summarize: 'none',
}

export const secretUrlRules: AuditRules<SecretUrlService> = {
  create: ({ result: { secretUrl } }, account) =>
    describe('secret_url.create', account, toTarget('secret_url', secretUrl)),
  revoke: ({ result }, account) =>
    describe('secret_url.revoke', account, toTarget('secret_url', result)),
  list: 'none',
  find: 'none',
  send: 'none',
}

export const mailboxRules: AuditRules<MailboxService> = {
  create: ({ result: { mailbox } }, account) =>
    describe('mailbox.create', account, toTarget('mailbox', mailbox)),
  remove: (_, account, id) => describe('mailbox.delete', account, { kind: 'mailbox', id }),
  list: 'none',
  find: 'none',
}

/** Numbers are not in the audit log: it is read by more people than the list. */
export const doNotTextRules: AuditRules<DoNotTextService> = {
  add: (_, { scope }) => describe('do_not_text.add', { id: scope }),
  remove: (_, { scope }) => describe('do_not_text.remove', { id: scope }),
  addAll: ({ result: { added, invalid } }, { scope }, _, __, { dryRun, skipInvalid }) =>
    dryRun || (invalid.length > 0 && !skipInvalid)
      ? undefined
      : describe('do_not_text.import', { id: scope }, undefined, `${added} numbers`),
  list: 'none',
  getPage: 'none',
  findListed: 'none',
  get: 'none',
}

export const contactRules: AuditRules<ContactService> = {
  add: (_, account) => describe('contact.create', account),
  edit: (_, account, __, changes) =>
    describe('contact.change', account, undefined, listChanged(changes)),
  remove: (_, account) => describe('contact.delete', account),
  importAll: ({ result: { added, changed, invalid } }, account, _, { dryRun, skipInvalid }) =>
    dryRun || (invalid.length > 0 && !skipInvalid)
      ? undefined
      : describe('contact.import', account, undefined, `${added} added, ${changed} changed`),
  getPage: 'none',
  count: 'none',
  find: 'none',
  findNames: 'none',
  get: 'none',
}

export const groupRules: AuditRules<GroupService> = {
  create: ({ result }, account) => describe('group.create', account, toTarget('group', result)),
  rename: ({ result }, account) => describe('group.change', account, toTarget('group', result)),
  remove: ({ result }, account) => describe('group.delete', account, toTarget('group', result)),
  list: 'none',
  countMembers: 'none',
  get: 'none',
  findByName: 'none',
  requireAll: 'none',
  findAll: 'none',
}

export const templateRules: AuditRules<TemplateService> = {
  create: ({ result }, account) =>
    describe('template.create', account, toTarget('template', result)),
  edit: ({ result }, account, _, changes) =>
    describe('template.change', account, toTarget('template', result), listChanged(changes)),
  remove: ({ result }, account) =>
    describe('template.delete', account, toTarget('template', result)),
  list: 'none',
  get: 'none',
}

export const phoneRules: AuditRules<PhoneService> = {
  forget: ({ result: { name } }, account) =>
    describe('phone.forget', account, { kind: 'phone', name }),
  list: 'none',
  findName: 'none',
  countByState: 'none',
  save: 'none',
  removeOld: 'none',
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
  run: ({ result: { done } }, account, _, action) =>
    done.length === 0
      ? undefined
      : describe(bulkActionNames[action], account, undefined, `${done.length} messages`),
  find: 'none',
}

const messageId = (id: string): AuditTarget => ({ kind: 'message', id })

/** What people change at single messages; the messages themselves are the log of new ones. */
export const messageRules: AuditRules<MessageService> = {
  edit: (_, account, id, draft) =>
    describe('message.change', account, messageId(id), listChanged(draft)),
  remove: (_, account, id) => describe('message.delete', account, messageId(id)),
  lock: (_, account, id) => describe('message.lock', account, messageId(id)),
  unlock: (_, account, id) => describe('message.unlock', account, messageId(id)),
  retry: (_, account, id) => describe('message.retry', account, messageId(id)),
  undelete: (_, account, id) => describe('message.undelete', account, messageId(id)),
  accept: 'none',
  acceptAll: 'none',
  findResult: 'none',
  list: 'none',
  search: 'none',
  getQueueDepth: 'none',
  get: 'none',
  getIncludingDeleted: 'none',
}

/** A backup belongs to the whole relay. */
export const backupRules: AuditRules<BackupService> = {
  start: ({ result: name }) => ({
    account: '*',
    action: 'backup.create',
    target: { kind: 'backup', name },
  }),
  read: 'none',
  stop: 'none',
}
