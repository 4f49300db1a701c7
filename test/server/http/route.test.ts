import { setImmediate } from 'node:timers/promises'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { connectionLimits } from '../../../src/domain/limits.js'
import { close, createHttpServer, listen } from '../../../src/net/server/http-server.js'
import type { NodeWay } from '../../../src/net/server/routed-request.js'
import { createApp } from '../../../src/server/app.js'
import { createErrorResponder } from '../../../src/server/http/http-errors.js'
import { mountRoutes, type PublicRouteHandler } from '../../../src/server/http/route.js'
import type { ServerContext } from '../../../src/server/http/server-context.js'

/** Resolves after so many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}

/** A server with one route, at `/`. */
async function serve(handler: PublicRouteHandler<NodeWay>): Promise<string> {
  const layer = mountRoutes<NodeWay>({ '/': { GET: handler } })
  const app = express()
    .use(layer)
    .use(createErrorResponder(() => {}))
  const server = createHttpServer(app)
  onTestFinished(async () => await close(server, 0))
  return `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0 })}/`
}

test('a route that resolves to nothing answers by itself, and ends when it likes', async () => {
  const url = await serve(async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' })
    response.write('one ')
    void turns(10).then(() => response.end('two'))
    return undefined
  })
  const reply = await fetch(url)
  expect(reply.headers.get('content-type')).toBe('text/plain')
  expect(await reply.text()).toBe('one two')
})

test('a route that fails before it answers is an error', async () => {
  const url = await serve(async () => await Promise.reject(new Error('defect')))
  const reply = await fetch(url)
  expect(reply.status).toBe(500)
  expect(await reply.json()).toMatchObject({ error: 'internal_error' })
})

test.each([
  ['a defect that is told', (): void => {}, 500],
  [
    'a defect that cannot be told',
    (): void => {
      throw new Error('full')
    },
    undefined,
  ],
])('%s ends the request and nothing else', async (_, reportDefect, status) => {
  const authenticate = async () => await Promise.reject(new Error('defect'))
  const parts = { tokens: { authenticate }, reportDefect } as unknown as ServerContext
  const app = createApp(parts)
  const server = createHttpServer(app.handle, connectionLimits, app.answer)
  onTestFinished(async () => await close(server, 0))
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  const headers = { Authorization: 'Bearer token' }
  for (const path of ['user', 'message']) {
    const reply = fetch(`http://127.0.0.1:${port}/api/1/${path}`, { headers })
    expect(await reply.then(each => each.status).catch(() => undefined)).toBe(status)
  }
})
