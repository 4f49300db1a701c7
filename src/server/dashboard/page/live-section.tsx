import { hashText } from '../../../util/crypto/secrets.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { getQueryField, type PageRequest, type PageResult, showPartial } from './page.js'

/** A part of a page that is loaded again when the account's events say so, and each half minute. */
export interface LiveSectionProps {
  readonly id: string
  /** Answers it by {@link livePart}; its query may hold anything but `seen`. */
  readonly path: string
  readonly children?: Child
}

/** A live part; without scripts it is as it was when the page was loaded. */
export function LiveSection({ id, path, children }: LiveSectionProps): Html {
  const seen = JSON.stringify({ seen: hashContent(children) })
  return (
    <div
      id={id}
      data-live="true"
      hx-get={path}
      hx-vals={seen}
      hx-trigger="live from:body, every 30s"
      hx-swap="outerHTML"
    >
      {children}
    </div>
  )
}

/** Answers htmx with a live part, or that it is what the page shows already: so nothing is taken out of one's hands. */
export function showLiveSection(visit: PageRequest, props: LiveSectionProps): PageResult {
  if (getQueryField(visit, 'seen') === hashContent(props.children)) return { unchanged: true }
  return showPartial(LiveSection(props))
}

function hashContent(children: Child): string {
  return hashText(String(Fragment({ children }))).slice(0, 16)
}
