import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { onTestFinished } from 'vitest'
import { close, createHttpServer, listen } from '../../../src/net/server/http-server.js'
import type { NodeWay } from '../../../src/net/server/routed-request.js'
import { createErrorResponder } from '../../../src/server/http/http-errors.js'
import { mountRoutes } from '../../../src/server/http/route.js'
import type { Relay } from '../../../src/server/open-relay.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../src/server/store/store.js'
import { type Caller, callerFor } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'

/** What answers the requests of a test. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** A server of ours with one path that knows every method the tests use, and the defects it reported. */
export async function serve(answer: Answer) {
  const defects: unknown[] = []
  const app = express()
  const route = async (request: IncomingMessage, response: ServerResponse) =>
    JSON.stringify(await answer(request, response))
  app.use(mountRoutes<NodeWay>({ '/': { GET: route, POST: route } }))
  app.use(createErrorResponder(defect => defects.push(defect)))
  const server = createHttpServer(app)
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    server.closeAllConnections()
    await close(server, 0)
  })
  return { server, port, url: `http://127.0.0.1:${port}/`, defects }
}

/** A running relay with an account, and the defects it reported. */
export async function startRelay(wrap: (store: Store) => Store = store => store) {
  const { at, close: stop } = await openRelay(wrap)
  onTestFinished(stop)
  return at
}

export interface Running {
  readonly relay: Relay
  readonly api: Caller
  readonly phone: Caller
  readonly defects: unknown[]
}

/** The same for many tests, closed by the caller. */
export async function openRelay(
  wrap: (store: Store) => Store = store => store,
): Promise<{ at: Running; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-http-'))
  const defects: unknown[] = []
  const relay = await createRelay(
    { dataDir, port: 0 },
    {
      openStore: async directory => wrap(await openLowdbStore(directory)),
      reportDefect: defect => defects.push(defect),
    },
  )
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const at = {
    relay,
    api: await callerFor(relay.url, account.secret_key, account.api_key),
    phone: await callerFor(relay.url, account.secret_key, account.app_key),
    defects,
  }
  const close = async () => {
    await relay.stop()
    await rm(dataDir, { recursive: true })
  }
  return { at, close }
}

/** A connection to a server, and what came back on it so far. */
export async function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  onTestFinished(() => {
    socket.destroy()
  })
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  const write = (bytes: string | Buffer) =>
    new Promise<void>(resolve => socket.write(bytes, () => resolve()))
  /** Resolves to everything received once it holds so many replies. */
  const replies = async (count: number): Promise<string[]> => {
    for (;;) {
      const found = received.split(/(?=HTTP\/1\.1 \d{3} )/).filter(isWhole)
      if (found.length >= count) return found
      await Promise.race([once(socket, 'data'), closed])
      if (socket.destroyed) return received.split(/(?=HTTP\/1\.1 \d{3} )/).filter(isWhole)
    }
  }
  return { socket, write, replies, closed, received: () => received }
}

function isWhole(reply: string): boolean {
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  return length !== undefined && body.length >= Number(length)
}
