import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { PublicRouteHandler, PublicRoutes } from '../../http/route.js'
import type { PageContent } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { readStaticFile } from '../page/static-files.js'
import type { OpenApiDocument } from './openapi-document.js'
import { renderReferencePage } from './reference-page.js'

/** The server in the OpenAPI document of the build; replies have the relay's address instead. */
const anyServer = '"url": "/"'

/** Creates the routes of the API reference, which need no token and no session. */
export function createReferenceRoutes(sender: PageSender): PublicRoutes {
  return {
    '/openapi.json': { GET: createDocumentHandler(sender) },
    '/docs': { GET: createPageHandler(sender) },
  }
}

function createDocumentHandler({ context }: PageSender): PublicRouteHandler {
  return async (request, response) => {
    const [start = '', ...rest] = (await readDocument()).split(anyServer)
    const server = `"url": ${JSON.stringify(context.getBaseUrl(request))}`
    response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.sendJson(200, `${start}${server}${rest.join(anyServer)}`)
    return undefined
  }
}

/** The body of the page is the same for everybody, so it is rendered once. */
function createPageHandler(sender: PageSender): PublicRouteHandler {
  let page: PageContent | undefined
  return async (request: HttpRequest, response: HttpResponse): Promise<undefined> => {
    page ??= renderReferencePage(JSON.parse(await readDocument()) as OpenApiDocument)
    await sender.send(request, response, { page }, await sender.findSession(request))
    return undefined
  }
}

async function readDocument(): Promise<string> {
  return (await readStaticFile('openapi.json')).toString()
}
