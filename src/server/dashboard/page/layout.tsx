import { ActionButton } from '../components/form.js'
import { ErrorSummary } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon, IconSprite } from '../components/icons.js'
import { Notice } from '../components/notice.js'
import type { Theme } from '../session/theme.js'
import { Brand } from './brand.js'
import type { Flash } from './flash.js'
import { BottomBar, type NavigationProps, Sidebar, TopBar } from './navigation.js'
import type { PageContent } from './page.js'
import type { StaticFileName } from './static-files.js'

interface LayoutProps {
  readonly page: PageContent
  readonly assets: Readonly<Record<StaticFileName, string>>
  /** The signed-in person; undefined on the sign-in page. */
  readonly person: Omit<NavigationProps, 'current'> | undefined
  readonly flash: Flash | undefined
  readonly theme: Theme
}

export const versionPlace = 'data-version="?"'

/**
 * The last element: the browser shows nothing before it has come (`rel=expect`, HTML), because the
 * columns of tables and the buttons of the head move while a page arrives.
 */
const endId = 'end'

export function Layout({ page, assets, person, flash, theme }: LayoutProps): Html {
  const { isLive, isStatic } = page
  const shell = person === undefined ? (isStatic === true ? 'plain' : 'door') : 'app'
  const bodyClass = page.shape === 'thread' ? `${shell} talking` : shell
  const content = (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {shell !== 'door' && <TopBar hasSearch={person !== undefined} />}
      {person && <Sidebar {...person} current={page.current} />}
      <Main page={page} isDoor={shell === 'door'} flash={flash} csrf={person?.csrf} />
      {person && <BottomBar role={person.role} problems={person.problems} current={page.current} />}
    </>
  )
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <Head page={page} assets={assets} problems={person?.problems ?? 0} />
      <body
        class={bodyClass}
        data-csrf={person?.csrf}
        data-version={isLive && '?'}
        data-stream={isLive && assets['live-stream.js']}
      >
        <IconSprite markup={content} />
        {content}
        <span id={endId} hidden />
      </body>
    </html>
  )
}

interface MainProps extends Pick<LayoutProps, 'page' | 'flash'> {
  readonly isDoor: boolean
  readonly csrf: string | undefined
}

function Main({ page, flash, isDoor, csrf }: MainProps): Html {
  return (
    <main id="main" tabindex="-1" class={page.shape && 'talk'}>
      {isDoor && (
        <p>
          <Brand isLink={false} />
        </p>
      )}
      {flash && <FlashNotice flash={flash} csrf={csrf} />}
      {page.isStatic !== true && <UnansweredNotice />}
      {page.isLive && <StaleNotice />}
      {isDoor ? <DoorCard page={page} /> : <PageBody page={page} />}
    </main>
  )
}

function Head(props: Pick<LayoutProps, 'assets' | 'page'> & { problems: number }): Html {
  const { page, assets, problems } = props
  const count = problems === 0 ? '' : `(${problems}) `
  const scripts: StaticFileName[] = ['morph.js', 'dashboard.js', 'send-forms.js']
  if (page.isLive) scripts.push('live-page.js')
  if (page.body.toString().includes('data-passkey=')) scripts.push('passkey.js')
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${count}${page.title} · smsrelay`}</title>
      <link rel="icon" href={assets['icon.svg']} type="image/svg+xml" />
      <link rel="stylesheet" href={assets['design.css']} />
      {page.isStatic !== true && <link rel="expect" href={`#${endId}`} blocking="render" />}
      {page.isStatic !== true && scripts.map(name => <script src={assets[name]} defer />)}
    </head>
  )
}

function DoorCard({ page }: { readonly page: PageContent }): Html {
  return (
    <section class="card" aria-labelledby="title">
      <h1 id="title">{page.title}</h1>
      <PageErrors page={page} />
      {page.body}
    </section>
  )
}

function PageErrors({ page }: { readonly page: PageContent }): Html | null {
  return (page.status ?? 200) >= 400 ? <ErrorSummary body={page.body} /> : null
}

function PageBody({ page }: { readonly page: PageContent }): Html {
  if (page.shape !== undefined) {
    return (
      <>
        <PageErrors page={page} />
        {page.body}
      </>
    )
  }
  return (
    <>
      <div class="head">
        {page.parent && (
          <nav class="crumbs" aria-label="Breadcrumb">
            <a href={page.parent.path}>
              <Icon name="back" />
              {page.parent.label}
            </a>
          </nav>
        )}
        <div class="title">
          <h1>{page.heading ?? page.title}</h1>
          {page.state}
          {page.isLive && (
            <p class="live" title="This page updates itself after each change.">
              <span class="dot good" />
              Live
            </p>
          )}
        </div>
        {page.actions !== undefined && <div class="acts">{page.actions}</div>}
        {page.lead !== undefined && <p class="lead">{page.lead}</p>}
      </div>
      <PageErrors page={page} />
      {page.body}
    </>
  )
}

/** The result of the form before, with a button that takes it back. */
function FlashNotice(props: { readonly flash: Flash; csrf: string | undefined }): Html {
  const { flash, csrf } = props
  const undo = flash.undo !== undefined && csrf !== undefined && (
    <ActionButton action={flash.undo} csrf={csrf} label="Undo" variant="secondary" />
  )
  return (
    <Notice kind={flash.kind} id="flash" actions={undo || undefined}>
      {flash.text}
    </Notice>
  )
}

/** Shown by the script after a form without an answer. */
function UnansweredNotice(): Html {
  return (
    <div class="notice warn" id="unanswered" role="alert" hidden>
      <Icon name="warn" />
      <div>
        <h2>The relay does not answer</h2>
        <p>
          The relay or its database is not available. Your input is still on this page: press the
          button again in a moment.
        </p>
      </div>
    </div>
  )
}

/** Shown by the script while the event stream is interrupted. */
function StaleNotice(): Html {
  return (
    <div class="notice warn" id="stale" role="status" hidden>
      <Icon name="clock" />
      <div>
        <h2>
          Live updates stopped at <span id="stale-since" />
        </h2>
        <p>The page is updated every 15 seconds until they start again.</p>
      </div>
    </div>
  )
}
