import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { formatPermissionsPolicy } from '../../http/permissions-policy.js'

export type SecurityHeaders = (
  request: HttpRequest,
  response: HttpResponse,
  secure: boolean,
) => void

/**
 * Security headers of dashboard pages: a page loads only files of this server and cannot be shown
 * in a frame (Content Security Policy Level 3, RFC 6797).
 */
export function createSecurityHeaders(): SecurityHeaders {
  const plain = helmet({ ...helmetOptions, strictTransportSecurity: false })
  const overTls = helmet({ ...helmetOptions, strictTransportSecurity: { maxAge: 31_536_000 } })
  return (request, response, secure) => {
    const set = secure ? overTls : plain
    // On the dashboard's reply, the package helmet only sets headers.
    set(request as unknown as IncomingMessage, response as unknown as ServerResponse, () => {})
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('Permissions-Policy', permissions)
  }
}

/** Copy buttons and passkeys. */
const permissions = formatPermissionsPolicy([
  ...(['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'] as const),
])

const selfSource = "'self'"
const none = "'none'"

const helmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': [none],
      'script-src': [selfSource],
      'style-src': [selfSource],
      // The dashboard's stylesheet uses data: images for arrows and check marks.
      'img-src': [selfSource, 'data:'],
      'connect-src': [selfSource],
      'form-action': [selfSource],
      'frame-ancestors': [none],
      'base-uri': [none],
    },
  },
  // With no-referrer, browsers send `Origin: null` even with the dashboard's own forms.
  referrerPolicy: { policy: 'same-origin' as const },
  xFrameOptions: { action: 'deny' as const },
  xPoweredBy: false,
}
