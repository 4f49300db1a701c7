import type { Subscription } from '../domain/subscription.js'
import type { RawRequest } from '../util/exchange.js'

/** The request that tells a subscription of an event on a message; `from` names the service (SPEC.md section 6). */
export function hitFor(
  subscription: Pick<Subscription, 'url' | 'method' | 'post'>,
  message: string,
  from: string,
): RawRequest {
  const { method, post } = subscription
  const url = new URL(subscription.url)
  const query = rawQuery(subscription.url)
  const target = url.pathname + (post ? query : extended(query, message))
  const body = post ? JSON.stringify({ message: { id: message } }) : ''
  const headers = {
    Host: url.host,
    'User-Agent': from,
    'X-Hook-From': from,
    ...authorization(url),
    'Content-Type': post ? 'application/json' : 'text/plain',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return { method, url: url.origin + target, target, headers, body }
}

/** The query with its question mark as the customer wrote it; the URL parser would rewrite some of it. */
function rawQuery(url: string): string {
  const address = url.replace(/#.*$/su, '')
  const start = address.indexOf('?')
  return start === -1 ? '' : encoded(address.slice(start))
}

/** Percent-encodes what cannot stand in a request line. */
function encoded(query: string): string {
  return query.replace(/[^\x21-\x7e]+/gu, part => encodeURIComponent(part.toWellFormed()))
}

function extended(query: string, message: string): string {
  const joint = query === '' ? '?' : query === '?' || query.endsWith('&') ? '' : '&'
  return `${query}${joint}message%5Bid%5D=${encodeURIComponent(message)}`
}

function authorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const login = Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`, 'latin1')
  return { Authorization: `Basic ${login.toString('base64')}` }
}

/** The bytes, as latin1, of percent-encoded text; a stray percent sign stands for itself. */
function decoded(part: string): string {
  return part.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
