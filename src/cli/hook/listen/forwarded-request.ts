import type { SentRequest } from '../../../net/client/send-request.js'
import type { RawWebhook } from '../webhook-receiver.js'

/** Fields about one connection alone (RFC 9110 section 7.6.1), and the length, which is given anew. */
const connectionFields =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|content-length)$/i

/** A received hit as a request to `target`: its method, bytes and header fields, with the data of its query behind that of the target. */
export function createForwardedRequest(hit: RawWebhook, target: string): SentRequest {
  const to = new URL(target)
  const start = hit.url.indexOf('?')
  const data = start === -1 ? '' : hit.url.slice(start + 1)
  const path = `${to.pathname}${joinQueries(to.search.slice(1), data)}`
  return {
    method: hit.method,
    url: to.origin + path,
    target: path,
    headers: {
      Host: to.host,
      ...toBasicAuthorization(to),
      ...mergeFields(hit),
      'Content-Length': String(hit.bytes.length),
    },
    body: hit.bytes,
  }
}

function joinQueries(own: string, data: string): string {
  const parts = [own, data].filter(part => part !== '')
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Fields that came more than once as one, with commas (RFC 9110 section 5.3). */
function mergeFields({ rawHeaders }: RawWebhook): Record<string, string> {
  const fields = new Map<string, { name: string; value: string }>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const key = name.toLowerCase()
    if (key === 'host' || connectionFields.test(name)) continue
    const before = fields.get(key)
    if (before === undefined) fields.set(key, { name, value })
    else before.value += `, ${value}`
  }
  return Object.fromEntries([...fields.values()].map(({ name, value }) => [name, value]))
}

function toBasicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { Authorization: `Basic ${pair.toString('base64')}` }
}
