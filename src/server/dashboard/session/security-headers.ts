import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** Sets the headers that keep a page to itself: nothing but the service's own files, and in nobody's frame. */
export type SecurityHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  secure: boolean,
) => void

/** The headers of every reply of the dashboard (Content Security Policy level 3, RFC 6797). */
export function securityHeaders(): SecurityHeaders {
  const plain = helmet({ ...options, strictTransportSecurity: false })
  const overTls = helmet({ ...options, strictTransportSecurity: { maxAge: 31_536_000 } })
  return (request, response, secure) => {
    const set = secure ? overTls : plain
    set(request, response, () => {})
    response.setHeader('Cache-Control', 'no-store')
  }
}

const own = "'self'"
const none = "'none'"

const options = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': [none],
      'script-src': [own],
      'style-src': [own],
      // The stylesheet draws its arrows and ticks with data: images.
      'img-src': [own, 'data:'],
      'connect-src': [own],
      'form-action': [own],
      'frame-ancestors': [none],
      'base-uri': [none],
    },
  },
  // Not no-referrer: browsers then send `Origin: null` with the forms of the page itself.
  referrerPolicy: { policy: 'same-origin' as const },
  xFrameOptions: { action: 'deny' as const },
}
