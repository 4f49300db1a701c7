import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { HttpServer } from '../../net/server/http-server.js'

/** A request that arrived, as it was. */
export interface IncomingWebhook {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A {@link Hit} to the byte. */
export interface RawWebhook extends IncomingWebhook {
  readonly bytes: Buffer
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
}

/** A server that takes hits until it is closed. */
export interface WebhookReceiver {
  /** `http://HOST:PORT`. */
  readonly url: string
  /** Answers what is in hand and stops. */
  close(): Promise<void>
}

/** An answer; status null resets the connection instead. */
export interface WebhookReply {
  readonly status: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Where to listen, and how to answer each hit. */
export interface WebhookReceiverOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly onWebhook: (hit: RawWebhook) => Promise<WebhookReply>
}

const maxBodyBytes = 1024 * 1024
/** Milliseconds that requests in progress have to end when the receiver closes. */
const closeTime = 2000

/** Starts a server that receives webhooks with any method. Throws `configuration` if it cannot bind the address. */
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
    close: async () => await server.close(closeTime),
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
    ...{ method, url, headers, rawHeaders, bytes },
    body: bytes.toString('utf8'),
  }
  const { status, headers: more }: WebhookReply =
    webhook === undefined ? { status: 413 } : await onWebhook(webhook)
  if (status === null) return response.reset()
  const text = status >= 200 && status < 300 ? 'ok\n' : 'no\n'
  const isEmpty = status === 204 || status === 304
  const type = isEmpty ? {} : { 'content-type': 'text/plain' }
  response.send(status, { ...type, ...more }, text)
}
