import { createAddressPolicy } from '../net/address-policy.js'
import { HostResolver } from '../net/dns/host-resolver.js'
import type { RelayConfig } from './config/relay-config.js'
import { hasMailServer } from './config/relay-config.js'
import { createMailSender } from './mail/mail-sender.js'
import { AccountService } from './services/accounts/account-service.js'
import { SecondFactorService } from './services/accounts/second-factor-service.js'
import { TokenService } from './services/accounts/token-service.js'
import { AuditService } from './services/audit/audit-service.js'
import { AutomaticMail } from './services/automatic-mail.js'
import { ContactService } from './services/contacts/contact-service.js'
import { GroupService } from './services/contacts/group-service.js'
import { TemplateService } from './services/contacts/template-service.js'
import { AccountLimitService } from './services/limits/account-limit-service.js'
import { DoNotTextService } from './services/messages/do-not-text-service.js'
import { MailboxService } from './services/messages/mailbox-service.js'
import { MessageBulkService } from './services/messages/message-bulk-service.js'
import { MessageListService } from './services/messages/message-list-service.js'
import { MessageService } from './services/messages/message-service.js'
import { SecretUrlService } from './services/messages/secret-url-service.js'
import { InvitationService } from './services/people/invitation-service.js'
import { PersonService } from './services/people/person-service.js'
import { ClaimService } from './services/phones/claim-service.js'
import { PhoneService } from './services/phones/phone-service.js'
import { ReceiptService } from './services/phones/receipt-service.js'
import { ReceivedMail } from './services/phones/received-mail.js'
import { ReceivedTextService } from './services/phones/received-text-service.js'
import { Sandbox } from './services/phones/sandbox.js'
import { ProblemService } from './services/problem-service.js'
import { ReadinessService } from './services/readiness-service.js'
import { createResourceServices } from './services/resource-service.js'
import { RetentionService } from './services/retention-service.js'
import type { ServiceContext } from './services/service-context.js'
import { PasskeyService } from './services/sign-in/passkey-service.js'
import { PasswordConfirmations } from './services/sign-in/password-confirmations.js'
import { PendingSignIns } from './services/sign-in/pending-sign-ins.js'
import { SessionService } from './services/sign-in/session-service.js'
import { StatisticsReports } from './services/statistics-report.js'
import { StatisticsService } from './services/statistics-service.js'
import { DeliveryLogService } from './services/webhooks/delivery-log-service.js'
import { EventService } from './services/webhooks/event-service.js'
import { toDelivery } from './services/webhooks/next-delivery.js'
import { PauseAlerts } from './services/webhooks/pause-alerts.js'
import { SigningSecretService } from './services/webhooks/signing-secret-service.js'
import { SubscriptionService } from './services/webhooks/subscription-service.js'
import {
  createWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from './webhooks/webhook-dispatcher.js'

export type Services = ReturnType<typeof createServices>

export function createServices(
  config: RelayConfig,
  context: ServiceContext,
  onError: (error: unknown) => void,
) {
  const policy = createAddressPolicy(config.webhooks)
  const tokens = new TokenService(context, config.tokenLifetime)
  const subscriptionLimit = { max: config.webhooks.maxSubscriptions }
  const max = (): number => subscriptionLimit.max
  const subscriptions = new SubscriptionService(context, { policy, max })
  const resolver = createResolver(config, context)
  const dispatcher = createDispatcher(config, context, { policy, resolver, onError })
  return {
    ...createAccountServices(config, context, max),
    ...createPhoneServices(config, context),
    deliveryLog: new DeliveryLogService(context, subscriptions, dispatcher),
    dispatcher,
    doNotText: new DoNotTextService(context),
    events: new EventService(context, tokens),
    ...createResourceServices(context),
    mailboxes: createMailboxService(config, context),
    ...createMessageServices(context),
    ...createContactServices(context),
    ...createAutomaticMail(config, context, onError),
    problems: new ProblemService(context),
    readiness: new ReadinessService(context),
    resolver,
    retention: createRetention(config, context),
    ...createDashboardServices(config, context),
    signingSecrets: new SigningSecretService(context, subscriptions),
    ...createStatisticsServices(context),
    subscriptionLimit,
    subscriptions,
    tokens,
  }
}

function createAccountServices(
  { mailRelay, baseUrl }: RelayConfig,
  context: ServiceContext,
  getMaxSubscriptions: () => number,
) {
  const accounts = new AccountService(context)
  // Without a base URL, a link begins with the Host that the request names.
  const canMailLinks = mailRelay !== undefined && baseUrl !== undefined
  const mailLink = canMailLinks ? createMailSender(mailRelay) : undefined
  return {
    accounts,
    accountLimits: new AccountLimitService(context, getMaxSubscriptions),
    audit: new AuditService(context),
    people: new PersonService(context, accounts),
    invitations: new InvitationService(context, mailLink),
  }
}

function createPhoneServices({ lease, keywords }: RelayConfig, context: ServiceContext) {
  const phones = new PhoneService(context)
  return {
    claims: new ClaimService(context, lease, phones),
    receipts: new ReceiptService(context),
    phones,
    receivedTexts: new ReceivedTextService(context, keywords),
    sandbox: new Sandbox(context),
  }
}

function createStatisticsServices(context: ServiceContext) {
  return {
    statistics: new StatisticsService(context),
    statisticsReports: new StatisticsReports(context),
  }
}

function createRetention(
  { retain, retainLogs }: RelayConfig,
  context: ServiceContext,
): RetentionService {
  return new RetentionService(context, retain, retainLogs.deliveries, retainLogs.audit)
}

function createResolver(config: RelayConfig, { clock, metrics }: ServiceContext): HostResolver {
  return new HostResolver({ clock, metrics, servers: config.webhooks.dnsServers })
}

function createMessageServices(context: ServiceContext) {
  const messages = new MessageService(context)
  return {
    messages,
    messageLists: new MessageListService(context),
    messageBulk: new MessageBulkService(context, messages),
    secretUrls: new SecretUrlService(context, messages),
  }
}

function createContactServices(context: ServiceContext) {
  const groups = new GroupService(context)
  return {
    groups,
    contacts: new ContactService(context, groups),
    templates: new TemplateService(context),
  }
}

function createDashboardServices(config: RelayConfig, context: ServiceContext) {
  const { tokenLifetime } = config
  const secondFactors = new SecondFactorService(context)
  return {
    passwordConfirmations: new PasswordConfirmations(context),
    secondFactors,
    passkeys: new PasskeyService(context, secondFactors),
    pendingSignIns: new PendingSignIns(context),
    sessions: new SessionService(context, tokenLifetime),
  }
}

function createDispatcher(
  config: RelayConfig,
  { store, clock, metrics, newId }: ServiceContext,
  parts: Pick<WebhookDispatcherOptions, 'policy' | 'resolver' | 'onError'>,
): WebhookDispatcher {
  return createWebhookDispatcher({
    ...parts,
    store,
    clock,
    metrics,
    limits: config.webhooks,
    random: Math.random,
    onAttempt: attempt => store.deliveryLog.record(toDelivery(attempt, newId())),
  })
}

function createMailboxService({ smtp }: RelayConfig, context: ServiceContext): MailboxService {
  return new MailboxService(context, { domain: smtp.domain, receiving: hasMailServer(smtp) })
}

function createAutomaticMail(
  { mailRelay }: RelayConfig,
  context: ServiceContext,
  onError: (error: unknown) => void,
): { pauseAlerts?: PauseAlerts; receivedMail?: ReceivedMail } {
  if (mailRelay === undefined) return {}
  const send = createMailSender(mailRelay)
  const alerts = new AutomaticMail(context, send, 'alert mail')
  const received = new AutomaticMail(context, send, 'received mail')
  return {
    pauseAlerts: new PauseAlerts(context, alerts, onError),
    receivedMail: new ReceivedMail(context, received, onError),
  }
}
