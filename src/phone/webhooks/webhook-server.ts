// The HTTP server of a phone, for the webhooks of providers (`smsrelay phone --listen`).
//
// 1. `openWebhookServer` opens the webhooks of the driver, which checks their secrets, and listens.
// 2. A path has the name of a webhook as a segment, such as `/twilio` or `/sms/kannel/SECRET`.
// 3. The webhook decides the reply. What goes wrong in it is a 500, after which providers repeat.
//
// Webhooks that were not accepted are reported at most once a minute each.

import { errorText, RelayError } from '../../errors.js'
import { connectionLimits } from '../../net/server/connection-limits.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { HttpServer } from '../../net/server/http-server.js'
import type { Clock } from '../../util/async/clock.js'
import type { Driver } from '../driver-port/driver.js'
import type { DriverWebhook, WebhookReply } from '../driver-port/webhook.js'

export interface WebhookServerOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly clock: Pick<Clock, 'monotonic'>
  readonly warn: (sentence: string) => void
}

export interface WebhookServer extends AsyncDisposable {
  readonly port: number
  readonly paths: readonly string[]
}

/** Bytes of a webhook's body. */
const maxBody = 64 * 1024
/** Anybody can connect, but providers and the proxy before the phone need few connections. */
const limits = { ...connectionLimits, connections: 32, connectionsPerAddress: 32 }
/** Milliseconds that webhooks in progress have to end when the phone stops. */
const closeGrace = 3000
/** Milliseconds between two warnings about one webhook. */
const warnInterval = 60_000

export async function openWebhookServer(
  driver: Pick<Driver, 'name' | 'openWebhooks'>,
  { host, port, clock, warn }: WebhookServerOptions,
): Promise<WebhookServer> {
  const webhooks = openDriverWebhooks(driver)
  const warnSeldom = limitWarnings(warn, clock)
  const server = new HttpServer(
    (request, response) => void handle(request, response, webhooks, warnSeldom),
    { limits },
  )
  const opened = await server.listen({ host, port }).catch((cause: Error) => {
    const hint = 'Choose another address: --listen [HOST:]PORT.'
    throw new RelayError('configuration', cause.message, { hint, cause })
  })
  return {
    port: opened,
    paths: [...webhooks.keys()].map(name => `/${name}`),
    [Symbol.asyncDispose]: async () => await server.close(closeGrace),
  }
}

export function openDriverWebhooks({
  name: driver,
  openWebhooks,
}: Pick<Driver, 'name' | 'openWebhooks'>): ReadonlyMap<string, DriverWebhook> {
  const opened = openWebhooks?.() ?? []
  if (opened.length === 0) {
    throw new RelayError('usage', `--listen: the driver ${driver} has no webhooks.`, {
      hint: 'Presets of the driver http have some: smsrelay phone presets.',
    })
  }
  const webhooks = new Map(opened.map(webhook => [webhook.name, webhook]))
  if (webhooks.size === opened.length) return webhooks
  throw new RelayError('usage', 'Two drivers have webhooks with the same path.', {
    hint: 'Give one of them another: --option NAME.webhook=PATH.',
  })
}

async function handle(
  request: HttpRequest,
  response: HttpResponse,
  webhooks: ReadonlyMap<string, DriverWebhook>,
  warn: (name: string, problem: string) => void,
): Promise<void> {
  const names = request.path.split('/')
  const webhook = names.map(name => webhooks.get(name)).find(each => each !== undefined)
  const reply = webhook === undefined ? { status: 404 } : await run(request, webhook, warn)
  const { body = '', status } = reply
  const type = body.startsWith('<') ? 'application/xml' : 'text/plain'
  response.send(status, body === '' ? {} : { 'Content-Type': type }, body)
}

async function run(
  request: HttpRequest,
  webhook: DriverWebhook,
  warn: (name: string, problem: string) => void,
): Promise<WebhookReply> {
  const { method, path, url, headers } = request
  try {
    const body = await request.readBody(maxBody)
    if (body === undefined) return { status: 413 }
    const query = url.slice(path.length + 1)
    const reply = await webhook.handle({ method, path, query, headers, body })
    if (reply.status === 403) warn(webhook.name, 'has no valid signature or secret')
    return reply
  } catch (error) {
    warn(webhook.name, `failed: ${errorText(error)}`)
    return { status: 500 }
  }
}

function limitWarnings(
  warn: (sentence: string) => void,
  clock: Pick<Clock, 'monotonic'>,
): (name: string, problem: string) => void {
  const last = new Map<string, number>()
  return (name, problem) => {
    const now = clock.monotonic()
    if (now - (last.get(name) ?? Number.NEGATIVE_INFINITY) < warnInterval) return
    last.set(name, now)
    warn(`A webhook for /${name} ${problem}.`)
  }
}
