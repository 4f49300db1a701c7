import { Fragment, type Html, h } from './html.js'

/**
 * A time on a dashboard page, in milliseconds since the epoch: relative if it is near; with date
 * and seconds if `exact`; `clock` is for sentences such as "since 14:20", which a relative time
 * does not fit into. `page/page-times.ts` fills it in when the page is sent, because only then the
 * reader's time zone is known.
 */
export function Time(props: {
  readonly at: number
  readonly exact?: boolean
  readonly clock?: boolean
}): Html {
  const { at, exact = false, clock = false } = props
  return (
    <time
      datetime={new Date(at).toISOString()}
      data-exact={exact ? 'true' : undefined}
      data-clock={clock ? 'true' : undefined}
    ></time>
  )
}

/** Says when something is tried again; its time may have passed while nobody could try. */
export function NextAttempt({ at, now }: { readonly at: number; readonly now: number }): Html {
  if (at <= now) return <>The next attempt is due now.</>
  return (
    <>
      The next attempt is <Time at={at} />.
    </>
  )
}
