/** An entry of the navigation. */
export interface NavigationEntry {
  readonly path: string
  readonly label: string
  /** Whether it is there for the owner's account only. */
  readonly owner?: true
}

/** The entries of the navigation, in order; a page names the one it belongs to as its `current`. */
export const navigation: readonly NavigationEntry[] = [
  { path: '/', label: 'Overview' },
  { path: '/send', label: 'Send' },
  { path: '/messages', label: 'Messages' },
  { path: '/received', label: 'Received' },
  { path: '/blocklist', label: 'Do Not Text' },
  { path: '/subscriptions', label: 'Subscriptions' },
  { path: '/urls', label: 'Secret URLs' },
  { path: '/mailboxes', label: 'E-mail' },
  { path: '/settings', label: 'Settings' },
  { path: '/accounts', label: 'Accounts', owner: true },
]
