import { formatDateTime } from '../../../domain/time/date-time.js'
import { type Html, h } from './html.js'

/** A time in milliseconds since the epoch: in UTC, and with scripts in the time zone of the reader. */
export function Time({ at }: { readonly at: number }): Html {
  return <time datetime={new Date(at).toISOString()}>{`${formatDateTime(at)} UTC`}</time>
}
