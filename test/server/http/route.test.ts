import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { RequestHandler } from '../../../src/net/server/http-connection.js'
import { HttpServer } from '../../../src/net/server/http-server.js'
import { createApp } from '../../../src/server/app.js'
import type { PublicRoutes } from '../../../src/server/http/route.js'
import type { ServerContext } from '../../../src/server/http/server-context.js'
import { openConnection, readStatuses } from '../../net/server/client-connection.js'
import { createTestApp } from './app-rig.js'

async function listen(handler: RequestHandler): Promise<number> {
  const server = new HttpServer(handler)
  onTestFinished(async () => await server.close(0))
  return await server.listen({ host: '127.0.0.1', port: 0 })
}

/** Paths that overlap as those of the interface do. */
const paths = [
  '/',
  '/oauth',
  '/api/1/message/next',
  '/api/1/message/:id',
  '/api/1/message/:id/success',
]

test.each([
  ['/', '/', {}],
  ['/oauth', '/oauth', {}],
  ['/oauth/', '/oauth', {}],
  ['/oauth?a=/b', '/oauth', {}],
  ['http://example.com/oauth', '/oauth', {}],
  ['/api/1/message/next', '/api/1/message/next', {}],
  ['/api/1/message/%6eext', '/api/1/message/:id', { id: 'next' }],
  ['/api/1/message/%41%20', '/api/1/message/:id', { id: 'A ' }],
  ['/api/1/message/a%2Fb/success', '/api/1/message/:id/success', { id: 'a/b' }],
])('the target %s reaches the route %s', async (target, path, params) => {
  const routes: PublicRoutes = Object.fromEntries(
    paths.map(each => [
      each,
      { GET: async request => JSON.stringify({ path: each, params: request.params }) },
    ]),
  )
  const { write, replies } = await openConnection(await listen(createTestApp(routes)))
  await write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [reply = ''] = await replies(1)
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toEqual({ path, params })
})

test.each([
  ['GET /OAUTH', 404],
  ['GET /oauth/x', 404],
  ['GET /api/1/message//success', 404],
  ['GET /api/1/message/%zz', 400],
  ['OPTIONS /oauth', 405],
  ['NEXT /oauth', 405],
  ['HEAD /oauth', 200],
])('%s is answered %i', async (line, status) => {
  const routes = Object.fromEntries(paths.map(path => [path, { GET: async () => '{}' }]))
  const port = await listen(createTestApp(routes))
  const { socket, write, closed, received } = await openConnection(port)
  await write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  await closed
  expect(socket.destroyed && readStatuses(received())).toEqual([status])
  if (status === 405) expect(received()).toContain('\r\nAllow: HEAD, GET\r\n')
})

test('a route that resolves to undefined sends its reply later', async () => {
  const port = await listen(
    createTestApp({
      '/': {
        GET: async (_request, response) => {
          response.startStream(200, { 'Content-Type': 'text/plain' })
          response.write('one ')
          void setImmediate().then(() => {
            response.write('two')
            response.endStream()
          })
          return undefined
        },
      },
    }),
  )
  const reply = await fetch(`http://127.0.0.1:${port}/`)
  expect(reply.headers.get('content-type')).toBe('text/plain')
  expect(await reply.text()).toBe('one two')
})

test('a route that fails before it answers gets internal_error', async () => {
  const fail = async () => await Promise.reject(new Error('defect'))
  const port = await listen(createTestApp({ '/': { GET: fail } }))
  const reply = await fetch(`http://127.0.0.1:${port}/`)
  expect(reply.status).toBe(500)
  expect(await reply.json()).toMatchObject({ error: 'internal_error' })
})

test.each([
  ['a reported defect', (): void => {}, 500],
  [
    'a defect whose report fails',
    (): void => {
      throw new Error('full')
    },
    undefined,
  ],
])('%s ends its request only', async (_, reportDefect, status) => {
  const getCaller = async () => await Promise.reject(new Error('defect'))
  const context = { tokens: { getCaller }, reportDefect } as unknown as ServerContext
  const port = await listen(createApp(context))
  const headers = { Authorization: 'Bearer token' }
  for (const path of ['user', 'message']) {
    const reply = fetch(`http://127.0.0.1:${port}/api/1/${path}`, { headers })
    expect(await reply.then(each => each.status).catch(() => undefined)).toBe(status)
  }
})
