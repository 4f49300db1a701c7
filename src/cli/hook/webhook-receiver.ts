import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { HttpServer } from '../../net/server/http-server.js'

export interface IncomingWebhook {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface RawWebhook extends IncomingWebhook {
  readonly bytes: Buffer
  /** Names and values of the received webhook's header fields in turn, as `node:http` has them. */
  readonly rawHeaders: readonly string[]
}

export interface WebhookReceiver {
  readonly url: string
  /** Finishes webhook requests in progress, at most 2 s, and stops the receiver. */
  close(): Promise<void>
}

/** The receiver's reply to a webhook in a `hook` command; status null resets the connection. */
export interface WebhookReply {
  readonly status: number | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface WebhookReceiverOptions {
  readonly host: string
  readonly port: number
  readonly onWebhook: (webhook: RawWebhook) => Promise<WebhookReply>
}

const maxBodyBytes = 1024 * 1024
const closeMilliseconds = 2000

export async function startWebhookReceiver(
  options: WebhookReceiverOptions,
): Promise<WebhookReceiver> {
  const server = new HttpServer((request, response) => {
    answerRequest(request, response, options).catch(() => response.destroy())
  })
  const port = await server.listen(options)
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}`,
    close: async () => await server.close(closeMilliseconds),
  }
}

async function answerRequest(
  request: HttpRequest,
  response: HttpResponse,
  { onWebhook }: WebhookReceiverOptions,
): Promise<void> {
  const bytes = await request.readBody(maxBodyBytes)
  const { method, url, headers, rawHeaders } = request
  const webhook = bytes && {
    method,
    url,
    headers,
    rawHeaders,
    bytes,
    body: bytes.toString('utf8'),
  }
  const { status, headers: more }: WebhookReply =
    webhook === undefined ? { status: 413 } : await onWebhook(webhook)
  if (status === null) return response.reset()
  const text = status >= 200 && status < 300 ? 'ok\n' : 'no\n'
  const isEmpty = status === 204 || status === 304
  const type: Record<string, string> = isEmpty ? {} : { 'content-type': 'text/plain' }
  response.send(status, { ...type, ...more }, text)
}
