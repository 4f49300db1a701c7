import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import express, { type Express } from 'express'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import {
  close,
  createHttpServer,
  listen,
  type RequestHandler,
} from '../../../src/net/server/http-server.js'
import type { NodeWay } from '../../../src/net/server/routed-request.js'
import { createErrorResponder } from '../../../src/server/http/http-errors.js'
import { mountRoutes, type PublicRoutes } from '../../../src/server/http/route.js'

/** Paths that overlap as those of the interface do. */
const paths = [
  '/',
  '/oauth',
  '/api/1/message',
  '/api/1/message/next',
  '/api/1/message/:id',
  '/api/1/message/:id/success',
  '/api/1/subscription/events',
  '/api/1/subscription/:id',
  '/v1.0/:number',
]

const segment = fc.oneof(
  fc.constantFrom('api', '1', 'message', 'next', 'success', 'subscription', 'events', 'oauth'),
  fc.constantFrom('', '', 'API', '%6eext', '%zz', '%2F', '%e2%82%ac', 'v1.0', 'v1x0', 'a.b', ':id'),
  fc.stringMatching(/^[\w.~%:;@!$'()*+,=-]{1,4}$/),
)
const near = fc.constantFrom('/oauth', '/api/1/message', '/api/1/subscription', '/v1.0', '')
const end = fc.constantFrom('', '', '', '/', '//', '?', '?a=/b', '/?filter=%zz', '#x', '/#')
const target = fc
  .tuple(near, fc.array(segment, { maxLength: 3 }), end)
  .map(([start, segments, last]) => `${[start, ...segments].join('/')}${last}` || '/')
const absolute = target.map(path => `http://example.com${path.startsWith('/') ? path : `/${path}`}`)

test('routes are found as Express finds them', async () => {
  const [ours, theirs] = [await serve(ourApp()), await serve(expressApp())]
  const property = fc.asyncProperty(
    fc.oneof({ arbitrary: target, weight: 5 }, absolute),
    fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST'),
    async (path, method) => {
      expect(await ask(ours, method, path)).toEqual(await ask(theirs, method, path))
    },
  )
  await fc.assert(property, { numRuns: 1000 })
})

/** Each path answers with what it is and what its parameters are. */
function ourApp(): RequestHandler {
  const routes: PublicRoutes = Object.fromEntries(
    paths.map(path => [path, { GET: async ({ params }) => JSON.stringify({ path, params }) }]),
  )
  const layer = mountRoutes<NodeWay>(routes)
  const rest = ended(express())
  const failed = createErrorResponder(() => {})
  return (request, response) => {
    void layer(request, response, error => {
      if (error === undefined) rest(request, response)
      else failed(error, request, response, () => {})
    })
  }
}

function expressApp(): Express {
  const app = express().enable('case sensitive routing')
  for (const path of paths) {
    app.route(path).all((request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.status(405).setHeader('Allow', 'HEAD, GET').end()
      } else response.json({ path, params: { ...request.params } })
    })
  }
  return ended(app)
}

function ended(app: Express): Express {
  app.use((_request, response) => {
    response.status(404).end()
  })
  return app
    .disable('etag')
    .disable('x-powered-by')
    .use(createErrorResponder(() => {}))
}

async function serve(handler: RequestHandler): Promise<number> {
  const server = createHttpServer(handler)
  onTestFinished(async () => await close(server, 0))
  return await listen(server, { host: '127.0.0.1', port: 0 })
}

interface Reply {
  readonly status: number | undefined
  readonly allow: string | undefined
  readonly length: string | undefined
  readonly body: string
}

async function ask(port: number, method: string, path: string): Promise<Reply> {
  const request = httpRequest({ port, method, path, agent: false }).end()
  return await new Promise((resolve, reject) => {
    request.on('error', reject).on('response', async response => {
      const status = response.statusCode
      const { allow, 'content-length': length } = response.headers
      const body = await text(response)
      const shows = status === 200 || status === 400
      resolve({ status, allow, length: shows ? length : '', body: shows ? body : '' })
    })
  })
}
