import { includesRole, type Role } from '../../../domain/account/person.js'
import { allResources } from '../../../resources/resources.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon, type IconName } from '../components/icons.js'
import { getPageRole } from '../roles/page-roles.js'
import { Brand } from './brand.js'

export interface NavigationEntry {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  readonly isOwnerOnly?: true
}

interface NavigationGroup {
  readonly title: string
  readonly entries: readonly NavigationEntry[]
}

const overview: NavigationEntry = { path: '/', label: 'Overview', icon: 'overview' }
const newMessage: NavigationEntry = { path: '/send', label: 'New message', icon: 'send' }
const messages: NavigationEntry = { path: '/messages', label: 'Messages', icon: 'messages' }
const conversations: NavigationEntry = {
  path: '/conversations',
  label: 'Conversations',
  icon: 'talk',
}

/** Resources whose pages stand alone, after those that are listed here. */
function listOthers(listed: readonly NavigationEntry[]): readonly NavigationEntry[] {
  const pages = allResources.map(({ page }) => page).filter(({ parent }) => parent === undefined)
  return pages
    .filter(({ path }) => !listed.some(each => each.path === path))
    .map(({ path, title, icon }) => ({ path, label: title, icon: icon as IconName }))
}

const listed: readonly NavigationGroup[] = [
  {
    title: 'Messaging',
    entries: [
      messages,
      conversations,
      { path: '/contacts', label: 'Contacts', icon: 'book' },
      { path: '/templates', label: 'Templates', icon: 'page' },
      { path: '/do-not-text', label: 'Do Not Text', icon: 'ban' },
    ],
  },
  {
    title: 'Connect',
    entries: [
      { path: '/phones', label: 'Phones', icon: 'phone' },
      { path: '/subscriptions', label: 'Subscriptions', icon: 'hook' },
      { path: '/urls', label: 'Secret URLs', icon: 'link' },
      { path: '/mailboxes', label: 'E-mail to text', icon: 'mail' },
      { path: '/settings/keys', label: 'Keys', icon: 'key' },
      { path: '/docs', label: 'API', icon: 'code' },
    ],
  },
  {
    title: 'Account',
    entries: [
      { path: '/settings', label: 'Settings', icon: 'sliders' },
      { path: '/settings/people', label: 'People', icon: 'people' },
      { path: '/statistics', label: 'Statistics', icon: 'chart' },
      { path: '/settings/security', label: 'Security', icon: 'shield' },
    ],
  },
  {
    title: 'Administration',
    entries: [
      { path: '/accounts', label: 'All accounts', icon: 'building', isOwnerOnly: true },
      { path: '/relay', label: 'Relay', icon: 'server', isOwnerOnly: true },
      { path: '/audit', label: 'Audit log', icon: 'log' },
    ],
  },
]

const groups = listed.map(group => ({
  ...group,
  entries:
    group.title === 'Messaging'
      ? [...group.entries, ...listOthers(listed.flatMap(({ entries }) => entries))]
      : group.entries,
}))

export const navigationPaths: readonly string[] = [
  ...[overview, newMessage].map(({ path }) => path),
  ...groups.flatMap(({ entries }) => entries.map(({ path }) => path)),
]

export function findEntryAbove(path: string): NavigationEntry | undefined {
  const above = [newMessage, ...groups.flatMap(({ entries }) => entries)].filter(entry =>
    new RegExp(`^${entry.path}[/.]`).test(path),
  )
  return above.reduce<NavigationEntry | undefined>(
    (best, each) => (each.path.length > (best?.path.length ?? 0) ? each : best),
    undefined,
  )
}

export interface NavigationProps {
  readonly email: string
  readonly role: Role
  readonly isOwner: boolean
  readonly csrf: string
  readonly problems: number
  readonly current: string | undefined
}

/**
 * The navigation of the dashboard: a sidebar on wide screens. On narrow ones it is a sheet that the
 * last button of {@link BottomBar} opens (`popover`, without scripts).
 */
export function Sidebar(props: NavigationProps): Html {
  const { email, role, isOwner, csrf, problems, current } = props
  return (
    <nav class="side" id="menu" popover="auto" aria-label="Main">
      <Brand />
      <SearchForm />
      {canOpen(newMessage, role) && (
        <a class="btn primary" href={newMessage.path} aria-current={toCurrent(newMessage, current)}>
          <Icon name="send" />
          {newMessage.label}
        </a>
      )}
      <div class="menu">
        <ul>
          <Entry entry={overview} current={current} problems={problems} />
        </ul>
        {listGroups(role, isOwner).map(({ title, entries }) => (
          <div>
            <p class="group" id={`menu-${title.toLowerCase()}`}>
              {title}
            </p>
            <ul aria-labelledby={`menu-${title.toLowerCase()}`}>
              {entries.map(entry => (
                <Entry entry={entry} current={current} />
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div class="who">
        <div>
          <strong>{email}</strong>
          {role !== 'admin' && <span>{role === 'sender' ? 'Sender' : 'Reader'}</span>}
          {role === 'admin' && isOwner && <span>Owner of this relay</span>}
        </div>
        <ActionButton action="/logout" csrf={csrf} label="Sign out" variant="bare" />
      </div>
    </nav>
  )
}

function listGroups(role: Role, isOwner: boolean): NavigationGroup[] {
  const isShown = (entry: NavigationEntry): boolean =>
    (isOwner || entry.isOwnerOnly !== true) && canOpen(entry, role)
  return groups
    .map(group => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter(({ entries }) => entries.length > 0)
}

function canOpen({ path }: NavigationEntry, role: Role): boolean {
  return path === '/docs' || includesRole(role, getPageRole('GET', path))
}

function SearchForm(): Html {
  return (
    <form class="search" action="/messages" aria-label="Find a message">
      <input
        type="search"
        name="q"
        placeholder="Number or text"
        aria-label="Find a message by number or text"
      />
      <button type="submit" aria-label="Find">
        <Icon name="search" />
      </button>
    </form>
  )
}

function Entry(props: {
  readonly entry: NavigationEntry
  readonly current: string | undefined
  readonly problems?: number
}): Html {
  const { entry, current, problems = 0 } = props
  return (
    <li>
      <a href={entry.path} aria-current={toCurrent(entry, current)}>
        <Icon name={entry.icon} />
        {entry.label}
        {problems > 0 && (
          <span class="tally bad">
            {problems}
            <span class="unseen"> need attention</span>
          </span>
        )}
      </a>
    </li>
  )
}

export function TopBar({ hasSearch }: { readonly hasSearch: boolean }): Html {
  return (
    <header class="top">
      <Brand />
      {hasSearch && (
        <a class="btn bare square" href="/messages#find" aria-label="Find a message">
          <Icon name="search" />
        </a>
      )}
    </header>
  )
}

export function BottomBar(props: Pick<NavigationProps, 'role' | 'problems' | 'current'>): Html {
  const { role, problems, current } = props
  return (
    <nav class="bottom" aria-label="Shortcuts">
      <a href={overview.path} aria-current={toCurrent(overview, current)}>
        <Icon name={overview.icon} />
        {overview.label}
        {problems > 0 && (
          <>
            <span class="dot bad" />
            <span class="unseen">{`, ${problems} need attention`}</span>
          </>
        )}
      </a>
      <a href={messages.path} aria-current={toCurrent(messages, current)}>
        <Icon name={messages.icon} />
        {messages.label}
      </a>
      {canOpen(newMessage, role) && (
        <a class="go" href={newMessage.path} aria-current={toCurrent(newMessage, current)}>
          <Icon name={newMessage.icon} />
          New
        </a>
      )}
      <a href={conversations.path} aria-current={toCurrent(conversations, current)}>
        <Icon name={conversations.icon} />
        {conversations.label}
      </a>
      <button type="button" popovertarget="menu">
        <Icon name="menu" />
        More
      </button>
    </nav>
  )
}

function toCurrent({ path }: NavigationEntry, current: string | undefined): 'page' | undefined {
  return path === current ? 'page' : undefined
}
