import type { AppParts } from '../app.js'
import { keysPages } from './access/keys-page.js'
import { mailboxPages } from './access/mailboxes-page.js'
import { keyReplacementPages } from './access/replace-key-page.js'
import { secretUrlPages } from './access/secret-urls-page.js'
import { accountActionPages } from './accounts/account-actions.js'
import { accountPages } from './accounts/account-list-page.js'
import { accountDetailPages } from './accounts/account-page.js'
import { settingsEmailPages } from './accounts/email-page.js'
import { settingsPasswordPages } from './accounts/password-page.js'
import { settingsPages } from './accounts/settings-page.js'
import { sendManyPages } from './bulk/bulk-page.js'
import { blocklistFilePages } from './messages/do-not-text-file-page.js'
import { blocklistPages } from './messages/do-not-text-page.js'
import { messageActionPages } from './messages/message-actions.js'
import { messageEditPages } from './messages/message-edit-page.js'
import { messagePages } from './messages/message-list-page.js'
import { receivedPages } from './messages/received-texts-page.js'
import { sendPages } from './messages/send-page.js'
import { livePages } from './overview/live-events.js'
import { overviewPages } from './overview/overview-page.js'
import type { Pages } from './page/page.js'
import { subscriptionActionPages } from './webhooks/subscription-actions.js'
import { subscriptionEditPages } from './webhooks/subscription-edit-page.js'
import { subscriptionPages } from './webhooks/subscription-list-page.js'
import { subscriptionDetailPages } from './webhooks/subscription-page.js'

/** Every page for who is signed in; README.md in this folder says how to add one. */
export function pages(parts: AppParts): Pages {
  return {
    ...overviewPages(parts),
    ...messagePages(parts),
    ...messageActionPages(parts),
    ...messageEditPages(parts),
    ...sendPages(parts),
    ...sendManyPages(parts),
    ...receivedPages(parts),
    ...blocklistPages(parts),
    ...blocklistFilePages(parts),
    ...subscriptionPages(parts),
    ...subscriptionDetailPages(parts),
    ...subscriptionActionPages(parts),
    ...subscriptionEditPages(parts),
    ...secretUrlPages(parts),
    ...mailboxPages(parts),
    ...livePages(parts),
    ...settingsPages(parts),
    ...settingsEmailPages(parts),
    ...settingsPasswordPages(parts),
    ...keysPages(parts),
    ...keyReplacementPages(parts),
    ...accountPages(parts),
    ...accountDetailPages(parts),
    ...accountActionPages(parts),
  }
}
