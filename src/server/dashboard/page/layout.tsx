import { eventNames } from '../../../domain/webhook/event.js'
import { ActionButton } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import type { Flash } from './flash.js'
import type { PageContent } from './page.js'
import type { StaticFileName } from './static-files.js'

interface NavigationEntry {
  readonly path: string
  readonly label: string
  readonly isOwnerOnly?: true
}

/** Navigation of the dashboard; a page names the path of its entry as `current`. */
export const navigation: readonly NavigationEntry[] = [
  { path: '/', label: 'Overview' },
  { path: '/send', label: 'Send' },
  { path: '/messages', label: 'Messages' },
  { path: '/received', label: 'Received' },
  { path: '/do-not-text', label: 'Do Not Text' },
  { path: '/subscriptions', label: 'Subscriptions' },
  { path: '/urls', label: 'Secret URLs' },
  { path: '/mailboxes', label: 'Mailboxes' },
  { path: '/settings', label: 'Settings' },
  { path: '/accounts', label: 'Accounts', isOwnerOnly: true },
  { path: '/docs', label: 'API' },
]

interface Person {
  readonly email: string
  readonly isOwner: boolean
  readonly csrf: string
  readonly flash: Flash | undefined
}

interface LayoutProps {
  readonly page: PageContent
  readonly assets: Readonly<Record<StaticFileName, string>>
  /** The signed-in person; undefined on the sign-in page. */
  readonly person: Person | undefined
}

const htmxConfig = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyEnabled: false,
  historyCacheSize: 0,
})

export function Layout({ page, assets, person }: LayoutProps): Html {
  const headers = JSON.stringify(person ? { 'X-CSRF-Token': person.csrf } : {})
  return (
    <html lang="en">
      <Head page={page} assets={assets} />
      <body hx-headers={headers} data-events={person && eventNames.join(' ')}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {person ? <Header person={person} current={page.current} /> : <Brand />}
        <main id="main" tabindex="-1">
          {person?.flash && <Notice kind={person.flash.kind}>{person.flash.text}</Notice>}
          <h1>{page.title}</h1>
          {page.body}
        </main>
      </body>
    </html>
  )
}

function Head({ page, assets }: Pick<LayoutProps, 'assets' | 'page'>): Html {
  const more = page.assets ?? []
  const scripts: readonly StaticFileName[] = ['htmx.js', 'dashboard.js', ...more]
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={htmxConfig} />
      <title>{`${page.title} · smsrelay`}</title>
      <link rel="icon" href={assets['icon.svg']} type="image/svg+xml" />
      <link rel="stylesheet" href={assets['pico.css']} />
      {more.filter(isStyle).map(name => (
        <link rel="stylesheet" href={assets[name]} />
      ))}
      <link rel="stylesheet" href={assets['dashboard.css']} />
      {scripts
        .filter(name => page.isStatic !== true && !isStyle(name))
        .map(name => (
          <script src={assets[name]} defer />
        ))}
    </head>
  )
}

function isStyle(name: StaticFileName): boolean {
  return name.endsWith('.css')
}

function Brand(): Html {
  return (
    <header>
      <strong>smsrelay</strong>
    </header>
  )
}

function Header({ person, current }: { person: Person; current: string | undefined }): Html {
  return (
    <header>
      <nav aria-label="Main">
        <ul>
          <li>
            <strong>smsrelay</strong>
          </li>
          {navigation
            .filter(entry => person.isOwner || !entry.isOwnerOnly)
            .map(({ path, label }) => (
              <li>
                <a href={path} aria-current={path === current ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <div class="person">
        <span>{person.email}</span>
        <ActionButton action="/logout" csrf={person.csrf} label="Sign out" variant="secondary" />
      </div>
    </header>
  )
}
