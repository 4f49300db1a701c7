// Child process: a bare node:http server that parses the same form or JSON, answers the same
// bytes and stores nothing.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'node:querystring'
import { sendCpuTime } from './send-cpu-time.js'

const [replies] = (await once(process, 'message')) as [[key: string, body: string][]]
const bodies = new Map(replies.map(([key, body]) => [key, Buffer.from(body)]))

function sendReply(request: IncomingMessage, response: ServerResponse): void {
  const body = bodies.get(`${request.method} ${request.url}`)
  response.statusCode = body === undefined ? 404 : 200
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', body?.length ?? 0)
  response.end(body)
}

function parseBody(text: string, type: string | undefined): unknown {
  if (type === 'application/json') return JSON.parse(text)
  const { message } = parse(text)
  return JSON.parse(String(message))
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    sendReply(request, response)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const text = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()
    const fields = parseBody(text, request.headers['content-type'])
    if (typeof fields !== 'object') response.statusCode = 400
    sendReply(request, response)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.once('disconnect', () => {
  server.close()
  server.closeAllConnections()
})
sendCpuTime()
process.send?.((server.address() as AddressInfo).port)
