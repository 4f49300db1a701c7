import type { AppParts } from '../app.js'
import { accountActionPages } from './pages/account-actions.js'
import { accountDetailPages } from './pages/account-detail.js'
import { accountPages } from './pages/accounts.js'
import { blocklistPages } from './pages/blocklist.js'
import { blocklistFilePages } from './pages/blocklist-file.js'
import { keyReplacementPages } from './pages/key-replacement.js'
import { keysPages } from './pages/keys.js'
import { livePages } from './pages/live.js'
import { mailboxPages } from './pages/mailboxes.js'
import { messageActionPages } from './pages/message-actions.js'
import { messageEditPages } from './pages/message-edit.js'
import { messagePages } from './pages/messages.js'
import { overviewPages } from './pages/overview.js'
import { receivedPages } from './pages/received.js'
import { secretUrlPages } from './pages/secret-urls.js'
import { sendPages } from './pages/send.js'
import { sendManyPages } from './pages/send-many.js'
import { settingsPages } from './pages/settings.js'
import { settingsEmailPages } from './pages/settings-email.js'
import { settingsPasswordPages } from './pages/settings-password.js'
import { subscriptionActionPages } from './pages/subscription-actions.js'
import { subscriptionDetailPages } from './pages/subscription-detail.js'
import { subscriptionEditPages } from './pages/subscription-edit.js'
import { subscriptionPages } from './pages/subscriptions.js'
import type { Pages } from './visit.js'

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
