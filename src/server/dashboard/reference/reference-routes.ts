import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { PublicRouteHandler, PublicRoutes } from '../../http/route.js'
import type { PageSender } from '../page/page-sender.js'
import { readStaticFile, StaticFiles } from '../page/static-files.js'
import type { OpenApiDocument } from './openapi-document.js'
import { renderReferencePage } from './reference-page.js'
import { renderTryPage, tryFileNames } from './try-page.js'

/** The server in the OpenAPI documents of the build; replies have the relay's address instead. */
const anyServer = '"url": "/"'

/** Creates the routes of the API reference, which need no token and no session. */
export function createReferenceRoutes(sender: PageSender): PublicRoutes {
  const files = new StaticFiles(tryFileNames, '/docs')
  const showPage = createPageHandler(sender)
  return {
    '/openapi.json': { GET: createDocumentHandler(sender, 'openapi.json') },
    '/openapi-3.2.json': { GET: createDocumentHandler(sender, 'openapi-3.2.json') },
    '/docs': { GET: showPage },
    '/docs/try': {
      GET: async (request, response) => {
        sender.setHeaders(request, response)
        const text = renderTryPage(await files.getPaths())
        response.send(200, { 'Content-Type': 'text/html; charset=utf-8' }, text)
        return undefined
      },
    },
    '/docs/:version/:name': {
      GET: async (request, response) => {
        if (await files.send(request, response, request.path)) return undefined
        throw new RelayError('not_found', `There is no file at ${request.path}.`)
      },
    },
  }
}

/** Sends a document with the base address of the request as its server. */
function createDocumentHandler({ context }: PageSender, name: string): PublicRouteHandler {
  const load = loadOnce(async () => {
    const text = (await readStaticFile(name)).toString()
    return text.split(anyServer)
  })
  return async (request, response) => {
    const [start = '', ...rest] = await load()
    const server = `"url": ${JSON.stringify(context.getBaseUrl(request))}`
    response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.sendJson(200, `${start}${server}${rest.join(anyServer)}`)
    return undefined
  }
}

/** The body of the page is the same for everybody, so it is rendered once. */
function createPageHandler(sender: PageSender) {
  const load = loadOnce(async () => {
    const text = (await readStaticFile('openapi-3.2.json')).toString()
    return renderReferencePage(JSON.parse(text) as OpenApiDocument)
  })
  return async (request: HttpRequest, response: HttpResponse): Promise<undefined> => {
    const page = await load()
    await sender.send(request, response, { page }, await sender.findSession(request))
    return undefined
  }
}

function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return async () => {
    loaded ??= load().catch(error => {
      loaded = undefined
      throw error
    })
    return await loaded
  }
}
