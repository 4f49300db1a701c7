import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** Sets the headers that keep a page to itself: nothing but the service's own files, and in nobody's frame. */
export type SecurityHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  secure: boolean,
) => void

/** The headers of every reply of the dashboard (Content Security Policy level 3, RFC 6797). */
export function createSecurityHeaders(): SecurityHeaders {
  const plain = helmet({ ...helmetOptions, strictTransportSecurity: false })
  const overTls = helmet({ ...helmetOptions, strictTransportSecurity: { maxAge: 31_536_000 } })
  return (request, response, secure) => {
    const set = secure ? overTls : plain
    set(request, response, () => {})
    response.setHeader('Cache-Control', 'no-store')
  }
}

const selfSource = "'self'"
const none = "'none'"

const helmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': [none],
      'script-src': [selfSource],
      'style-src': [selfSource],
      // The stylesheet draws its arrows and ticks with data: images.
      'img-src': [selfSource, 'data:'],
      'connect-src': [selfSource],
      'form-action': [selfSource],
      'frame-ancestors': [none],
      'base-uri': [none],
    },
  },
  // Not no-referrer: browsers then send `Origin: null` with the forms of the page itself.
  referrerPolicy: { policy: 'same-origin' as const },
  xFrameOptions: { action: 'deny' as const },
}
