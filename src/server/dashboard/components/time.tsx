import { type Html, h } from './html.js'

/**
 * A time on a dashboard page, in milliseconds since the epoch: relative if it is near, or with date
 * and seconds if `exact`. `page/page-times.ts` fills it in when the page is sent, because only then
 * the reader's time zone is known.
 */
export function Time({ at, exact = false }: { readonly at: number; exact?: boolean }): Html {
  return <time datetime={new Date(at).toISOString()} data-exact={exact ? 'true' : undefined}></time>
}
