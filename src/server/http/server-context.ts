import { describeDevice } from '../../domain/account/device-name.js'
import type { AuditActor, AuditOrigin } from '../../domain/audit/audit-entry.js'
import type { ConnectionLimits } from '../../net/server/connection-limits.js'
import type { HttpRequest, RequestMetadata } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import type { AccountService } from '../services/accounts/account-service.js'
import type { SecondFactorService } from '../services/accounts/second-factor-service.js'
import type { SignInThrottle } from '../services/accounts/sign-in-throttle.js'
import type { TokenService } from '../services/accounts/token-service.js'
import type { AuditService } from '../services/audit/audit-service.js'
import type { ContactService } from '../services/contacts/contact-service.js'
import type { GroupService } from '../services/contacts/group-service.js'
import type { AccountLimitService } from '../services/limits/account-limit-service.js'
import type { DoNotTextService } from '../services/messages/do-not-text-service.js'
import type { MailboxService } from '../services/messages/mailbox-service.js'
import type { MessageBulkService } from '../services/messages/message-bulk-service.js'
import type { MessageListService } from '../services/messages/message-list-service.js'
import type { MessageService } from '../services/messages/message-service.js'
import type { SecretUrlService } from '../services/messages/secret-url-service.js'
import type { SecretUrlThrottle } from '../services/messages/secret-url-throttle.js'
import type { InvitationService } from '../services/people/invitation-service.js'
import type { PersonService } from '../services/people/person-service.js'
import type { ClaimService } from '../services/phones/claim-service.js'
import type { PhoneService } from '../services/phones/phone-service.js'
import type { ReceiptService } from '../services/phones/receipt-service.js'
import type { ReceivedTextService } from '../services/phones/received-text-service.js'
import type { ProblemService } from '../services/problem-service.js'
import type { ReadinessService } from '../services/readiness-service.js'
import type { RelayStateService } from '../services/relay-state-service.js'
import type { ResourceServices } from '../services/resource-service.js'
import type { PasskeyService } from '../services/sign-in/passkey-service.js'
import type { PasswordConfirmations } from '../services/sign-in/password-confirmations.js'
import type { PendingSignIns } from '../services/sign-in/pending-sign-ins.js'
import type { SessionService } from '../services/sign-in/session-service.js'
import type { StatisticsReports } from '../services/statistics-report.js'
import type { StatisticsService } from '../services/statistics-service.js'
import type { DeliveryLogService } from '../services/webhooks/delivery-log-service.js'
import type { EventService } from '../services/webhooks/event-service.js'
import type { SigningSecretService } from '../services/webhooks/signing-secret-service.js'
import type { SubscriptionService } from '../services/webhooks/subscription-service.js'
import type { GetClientAddress } from './client-address.js'
import type { ReportDefect } from './http-errors.js'

export interface ServerContext extends ResourceServices {
  readonly accounts: AccountService
  readonly accountLimits: AccountLimitService
  readonly audit: AuditService
  readonly people: PersonService
  readonly invitations: InvitationService
  readonly messages: MessageService
  readonly messageLists: MessageListService
  readonly messageBulk: MessageBulkService
  readonly mailboxes: MailboxService
  readonly claims: ClaimService
  readonly receipts: ReceiptService
  readonly phones: PhoneService
  readonly statistics: StatisticsService
  readonly statisticsReports: StatisticsReports
  readonly problems: ProblemService
  readonly readiness: ReadinessService
  readonly relayState: RelayStateService
  readonly receivedTexts: ReceivedTextService
  readonly subscriptions: SubscriptionService
  readonly signingSecrets: SigningSecretService
  readonly deliveryLog: DeliveryLogService
  readonly tokens: TokenService
  readonly doNotText: DoNotTextService
  readonly contacts: ContactService
  readonly groups: GroupService
  readonly events: EventService
  readonly limits: ConnectionLimits
  readonly signInThrottle: SignInThrottle
  readonly secretUrls: SecretUrlService
  readonly passwordConfirmations: PasswordConfirmations
  readonly secondFactors: SecondFactorService
  readonly passkeys: PasskeyService
  readonly pendingSignIns: PendingSignIns
  readonly sessions: SessionService
  readonly secretUrlThrottle: SecretUrlThrottle
  readonly getClientAddress: GetClientAddress
  readonly getBaseUrl: (request: RequestMetadata) => string
  readonly isSecure: (request: RequestMetadata) => boolean
  readonly now: () => number
  readonly reportDefect: ReportDefect
}

export function createAuditOrigin(
  { getClientAddress }: Pick<ServerContext, 'getClientAddress'>,
  request: HttpRequest,
  { requestId }: Pick<HttpResponse, 'requestId'>,
  actor: AuditActor,
): AuditOrigin {
  const userAgent = request.headers['user-agent'] ?? ''
  return {
    actor,
    address: getClientAddress(request),
    ...(userAgent === '' ? {} : { device: describeDevice(userAgent) }),
    ...(requestId === undefined ? {} : { request: requestId }),
  }
}
