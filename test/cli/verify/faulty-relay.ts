import { onTestFinished } from 'vitest'
import { sendRequest } from '../../../src/net/client/send-request.js'
import { HttpServer } from '../../../src/net/server/http-server.js'

export interface ProxyRequest {
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body: string
}

export interface ProxyReply {
  status: number
  headers: Record<string, string>
  body: string
}

/** Changes what passes through the proxy; a reply from `onRequest` does not reach the relay. */
export interface Fault {
  readonly onRequest?: (request: ProxyRequest) => ProxyReply | undefined
  readonly onReply?: (reply: ProxyReply, request: ProxyRequest) => void
  /** Changes a webhook on its way from the relay. */
  readonly onWebhook?: (webhook: ProxyRequest) => void
}

/** A proxy on a free port in front of a relay; a fault makes it another, faulty relay. */
export async function startFaultyRelay(relayUrl: string, fault: Fault): Promise<string> {
  let port = 0
  const server = new HttpServer((incoming, response) => {
    const forward = async (): Promise<void> => {
      const body = (await incoming.readBody(1024 * 1024))?.toString('utf8') ?? ''
      const headers = toHeaders(incoming.headers)
      const request = { method: incoming.method, target: incoming.url, headers, body }
      const reply = await answer(request, relayUrl, fault, port)
      response.send(reply.status, reply.headers, reply.body)
    }
    forward().catch(() => response.destroy())
  })
  port = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => await server.close(0))
  return `http://127.0.0.1:${port}`
}

async function answer(
  request: ProxyRequest,
  relayUrl: string,
  fault: Fault,
  port: number,
): Promise<ProxyReply> {
  const [, receiver, rest = ''] = /^\/forward\/(\d+)(\/.*)$/.exec(request.target) ?? []
  if (receiver !== undefined) {
    request.target = rest
    fault.onWebhook?.(request)
    return await pass(request, `http://127.0.0.1:${receiver}`)
  }
  const rejected = fault.onRequest?.(request)
  if (rejected !== undefined) return rejected
  if (fault.onWebhook !== undefined) redirectWebhooks(request, port)
  const reply = await pass(request, relayUrl)
  fault.onReply?.(reply, request)
  return reply
}

/** Makes the relay send the webhooks of a new subscription to the proxy. */
function redirectWebhooks(request: ProxyRequest, port: number): void {
  const { method, target, body } = request
  if (method !== 'POST' || target !== '/api/1/subscription') return
  const fields = new URLSearchParams(body)
  const url = fields.get('url') ?? ''
  fields.set('url', url.replace(/127\.0\.0\.1:(\d+)/, `127.0.0.1:${port}/forward/$1`))
  request.body = fields.toString()
}

async function pass(request: ProxyRequest, to: string): Promise<ProxyReply> {
  const { method, target, headers, body } = request
  const sent = { method, url: to, target, headers: omitFraming(headers), body }
  const reply = await sendRequest(sent, { agent: false })
  const text = reply.body.toString('utf8')
  return { status: reply.status, headers: omitFraming(toHeaders(reply.headers)), body: text }
}

function toHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return Object.fromEntries(pairs) as Record<string, string>
}

/** Fields that each connection has for itself. */
function omitFraming(headers: Record<string, string>): Record<string, string> {
  const own = ['connection', 'keep-alive', 'content-length', 'transfer-encoding']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))
}
