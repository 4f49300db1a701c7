import { createKeyPages } from './access/keys-page.js'
import { createMailboxPages } from './access/mailboxes-page.js'
import { createSecretUrlPages } from './access/secret-urls-page.js'
import { createAccountActionPages } from './accounts/account-actions.js'
import { createAccountPages } from './accounts/accounts-page.js'
import { createCredentialPages } from './accounts/credentials-page.js'
import { createLimitPages } from './accounts/limits-page.js'
import { createSettingsPages } from './accounts/settings-page.js'
import { createAuditPages } from './audit/audit-page.js'
import { createBulkPages } from './bulk/bulk-page.js'
import { createContactSendPages } from './bulk/contact-send-page.js'
import { createContactFilePages } from './contacts/contact-file-page.js'
import { createContactListPages } from './contacts/contact-list-page.js'
import { createContactPages } from './contacts/contact-page.js'
import { createGroupPages } from './contacts/group-pages.js'
import { createTemplatePages } from './contacts/template-pages.js'
import { createConversationPages } from './conversations/conversations-page.js'
import { createDoNotTextFilePages } from './do-not-text/do-not-text-file-page.js'
import { createDoNotTextPages } from './do-not-text/do-not-text-page.js'
import { createBulkActionPages } from './message-list/bulk-actions-page.js'
import { createMessageCsvPages } from './message-list/message-csv-page.js'
import { createMessageListPages } from './message-list/message-list-page.js'
import { createScheduledPages } from './message-list/scheduled-page.js'
import { createMessageEditPages } from './messages/message-edit-page.js'
import { createMessagePages } from './messages/message-page.js'
import { createReceivedTextPages } from './messages/received-texts-page.js'
import { createSendPages } from './messages/send-page.js'
import { createOverviewPages } from './overview/overview-page.js'
import { createLiveEventPages } from './page/live-events.js'
import type { Pages } from './page/page.js'
import type { PageSender } from './page/page-sender.js'
import { createPeoplePages } from './people/people-page.js'
import { createPhonePages } from './phones/phones-page.js'
import { createRelayPages } from './relay/relay-page.js'
import { createAllResourcePages } from './resources/resource-pages.js'
import { createSecurityPages } from './security/security-page.js'
import { createStatisticsPages } from './statistics/statistics-page.js'
import { createSubscriptionActionPages } from './webhooks/subscription-actions.js'
import { createSubscriptionEditPages } from './webhooks/subscription-edit-page.js'
import { createSubscriptionListPages } from './webhooks/subscription-list-page.js'
import { createSubscriptionDetailPages } from './webhooks/subscription-page.js'
import { createSubscriptionSecretPages } from './webhooks/subscription-secret-page.js'

export function createPages({
  context,
  attention,
}: Pick<PageSender, 'context' | 'attention'>): Pages {
  return {
    ...createOverviewPages({ ...context, attention }),
    ...createLiveEventPages(context),
    ...createPhonePages(context),
    ...createStatisticsPages(context),
    ...createConversationPages(context),
    ...createMessageListPages(context),
    ...createMessageCsvPages(context),
    ...createScheduledPages(context),
    ...createBulkActionPages(context),
    ...createMessagePages(context),
    ...createMessageEditPages(context),
    ...createSendPages(context),
    ...createBulkPages(context),
    ...createContactSendPages(context),
    ...createAllContactPages(context),
    ...createReceivedTextPages(context),
    ...createDoNotTextPages(context),
    ...createDoNotTextFilePages(context),
    ...createSubscriptionListPages(context),
    ...createSubscriptionDetailPages(context),
    ...createSubscriptionActionPages(context),
    ...createSubscriptionSecretPages(context),
    ...createSubscriptionEditPages(context),
    ...createSecretUrlPages(context),
    ...createMailboxPages(context),
    ...createOwnPages(context),
    ...createAccountPages(context),
    ...createAccountActionPages(context),
    ...createLimitPages(context),
    ...createRelayPages(context),
    ...createAuditPages(context),
  }
}

function createAllContactPages(context: PageSender['context']): Pages {
  return {
    ...createContactListPages(context),
    ...createContactFilePages(context),
    ...createAllResourcePages(context),
    ...createGroupPages(context),
    // After those whose paths a number could be.
    ...createContactPages(context),
    ...createTemplatePages(context),
  }
}

function createOwnPages(context: PageSender['context']): Pages {
  return {
    ...createSettingsPages(context),
    ...createCredentialPages(context),
    ...createSecurityPages(context),
    ...createPeoplePages(context),
    ...createKeyPages(context),
  }
}
