import type { HitCheck } from './hit-check.js'
import type { EventHit } from './hook-session.js'
import { oneLine } from './text.js'

/** A hit on one line, for people. */
export function hitLine(hit: EventHit & { readonly time: string }): string {
  const time = hit.time.slice(11, 19)
  const id = hit.message.id ?? '(no message id)'
  return oneLine(`${time}Z ${hit.event} ${hit.method} ${hit.url} ${id}`)
}

/** What a check of a hit came to, for people. */
export function hitCheckLine(check: HitCheck): string {
  if (!check.valid) return oneLine(`Not valid. ${check.reason}`)
  return oneLine(`Valid: ${check.id}, signed ${check.signed_at}.`)
}
