import type { ServerContext } from '../http/server-context.js'
import { createKeysPages } from './access/keys-page.js'
import { createMailboxPages } from './access/mailboxes-page.js'
import { createReplaceKeyPages } from './access/replace-key-page.js'
import { createSecretUrlPages } from './access/secret-urls-page.js'
import { createAccountActionPages } from './accounts/account-actions.js'
import { createAccountListPages } from './accounts/account-list-page.js'
import { createAccountDetailPages } from './accounts/account-page.js'
import { createEmailPages } from './accounts/email-page.js'
import { createPasswordPages } from './accounts/password-page.js'
import { createSettingsPages } from './accounts/settings-page.js'
import { createBulkPages } from './bulk/bulk-page.js'
import { createDoNotTextFilePages } from './messages/do-not-text-file-page.js'
import { createDoNotTextPages } from './messages/do-not-text-page.js'
import { createMessageActionPages } from './messages/message-actions.js'
import { createMessageEditPages } from './messages/message-edit-page.js'
import { createMessagePages } from './messages/message-list-page.js'
import { createReceivedTextPages } from './messages/received-texts-page.js'
import { createSendPages } from './messages/send-page.js'
import { createOverviewPages } from './overview/overview-page.js'
import { createLiveEventPages } from './page/live-section.js'
import type { Pages } from './page/page.js'
import { createSubscriptionActionPages } from './webhooks/subscription-actions.js'
import { createSubscriptionEditPages } from './webhooks/subscription-edit-page.js'
import { createSubscriptionListPages } from './webhooks/subscription-list-page.js'
import { createSubscriptionDetailPages } from './webhooks/subscription-page.js'

/** Every page for who is signed in; README.md in this folder says how to add one. */
export function createPages(context: ServerContext): Pages {
  return {
    ...createOverviewPages(context),
    ...createMessagePages(context),
    ...createMessageActionPages(context),
    ...createMessageEditPages(context),
    ...createSendPages(context),
    ...createBulkPages(context),
    ...createReceivedTextPages(context),
    ...createDoNotTextPages(context),
    ...createDoNotTextFilePages(context),
    ...createSubscriptionListPages(context),
    ...createSubscriptionDetailPages(context),
    ...createSubscriptionActionPages(context),
    ...createSubscriptionEditPages(context),
    ...createSecretUrlPages(context),
    ...createMailboxPages(context),
    ...createLiveEventPages(context),
    ...createSettingsPages(context),
    ...createEmailPages(context),
    ...createPasswordPages(context),
    ...createKeysPages(context),
    ...createReplaceKeyPages(context),
    ...createAccountListPages(context),
    ...createAccountDetailPages(context),
    ...createAccountActionPages(context),
  }
}
