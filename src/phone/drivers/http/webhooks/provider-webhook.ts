// One provider's webhooks, which bring receipts and received texts.
//
// 1. The phone's HTTP server (phone/webhooks) gives each request for the provider's path to
//    `handle`.
// 2. The signature is checked (signatures/). Without a valid one the reply is 403.
// 3. The body is JSON or a form; the preset says where it has receipts and received texts.
// 4. They go to the driver's listener. Only when all are stored, the reply is 200; otherwise it is
//    500 or 503, and the provider repeats the webhook.

import { TextDecoder } from 'node:util'
import { RelayError } from '../../../../errors.js'
import type { Clock } from '../../../../util/async/clock.js'
import { parseJson } from '../../../../util/text/parse-json.js'
import type { DriverListener } from '../../../driver-port/driver.js'
import type { Env } from '../../../driver-port/driver-options.js'
import type { DriverWebhook, WebhookReply, WebhookRequest } from '../../../driver-port/webhook.js'
import { type DeliveryWords, readReceipts, readTexts } from '../rules/delivery-rules.js'
import { readWebhookSecret, type WebhookSettings } from '../settings/delivery-options.js'
import {
  getHeader,
  type SignatureContext,
  type SignedWebhook,
} from '../signatures/signed-webhook.js'
import { openSnsEnvelope } from '../signatures/sns-signature.js'

interface WebhookContext {
  readonly env: Env
  readonly clock: Pick<Clock, 'now'>
  readonly getListener: () => DriverListener | undefined
  readonly download?: SignatureContext['download']
}

export function createProviderWebhook(
  settings: WebhookSettings,
  words: DeliveryWords,
  { env, clock, getListener, download = downloadLazily }: WebhookContext,
): DriverWebhook {
  const { name, reply } = settings
  const secret = readWebhookSecret(settings, env)
  requireAddress(settings)
  const cached = cacheDownloads(download)
  return {
    name,
    async handle(request): Promise<WebhookReply> {
      if (request.method !== 'POST' && request.method !== 'GET') return { status: 405 }
      const webhook = toSignedWebhook(request, settings)
      const context = { secret, now: clock.now(), topic: settings.topic, download: cached }
      if (!(await settings.check(webhook, context))) return { status: 403 }
      const listener = getListener()
      if (listener === undefined) return { status: 503 }
      const body = settings.isSns
        ? await openSnsEnvelope(webhook, download)
        : readBody(request, webhook)
      await store(body, settings, words, listener)
      return { status: 200, ...(reply === undefined ? {} : { body: reply }) }
    },
  }
}

async function store(
  body: unknown,
  { receipt, text }: WebhookSettings,
  words: DeliveryWords,
  listener: DriverListener,
): Promise<void> {
  const receipts = receipt === undefined ? [] : readReceipts(body, receipt, words)
  const texts = text === undefined ? [] : readTexts(body, text, words)
  await Promise.all([
    ...receipts.map(async each => await listener.onReceipt(each)),
    ...texts.map(async each => await listener.onText(each)),
  ])
}

function requireAddress({ signsUrl, isSns, address, topic, name }: WebhookSettings): void {
  if (signsUrl === true && address === undefined) {
    throw new RelayError('usage', `The webhook ${name} needs the option public-url.`, {
      hint: 'It is signed with its address, such as --option public-url=https://sms.example.com.',
    })
  }
  if (isSns === true && topic === '') {
    throw new RelayError('usage', `The webhook ${name} needs the option topic.`, {
      hint: 'The ARN of the topic: AWS signs the messages of all topics, also of other accounts.',
    })
  }
}

function toSignedWebhook(
  { method, path, query, headers, body }: WebhookRequest,
  { name, address }: WebhookSettings,
): SignedWebhook {
  const pathEnd = path.slice(path.lastIndexOf(`/${name}`) + name.length + 2)
  const end = pathEnd === '' ? '' : `/${pathEnd}`
  const url = `${address ?? `http://localhost/${name}`}${end}${query === '' ? '' : `?${query}`}`
  return { method, url, pathEnd, headers, body }
}

/** JSON as it is; of a form, or without a body of the query, the fields by name. */
function readBody({ query, body }: WebhookRequest, webhook: SignedWebhook): unknown {
  const text = body.toString()
  if (text === '') return readForm(query)
  const isJson = getHeader(webhook, 'content-type').includes('json') || /^\s*[[{]/.test(text)
  return isJson ? parseJson(text) : readForm(text)
}

/** Keeps what was downloaded, so that a certificate is fetched once. */
function cacheDownloads(download: SignatureContext['download']): SignatureContext['download'] {
  const known = new Map<string, string>()
  return async url => {
    const found = known.get(url) ?? (await download(url))
    if (known.size >= 10) known.clear()
    known.set(url, found)
    return found
  }
}

async function downloadLazily(url: string): Promise<string> {
  const { downloadText } = await import('../service/service-request.js')
  return await downloadText(url)
}

/**
 * Reads a query or form of a webhook. As in a request of Kannel, a field `charset` names the
 * encoding of the field `text`; if it is unknown, or does not fit the bytes, they are UTF-8.
 */
function readForm(encoded: string): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(encoded))
  const [, bytes] = /(?:^|&)text=([^&]*)/.exec(encoded) ?? []
  const { charset } = fields
  if (charset === undefined || bytes === undefined) return fields
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return { ...fields, text: decoder.decode(decodePercents(bytes)) }
  } catch {
    return fields
  }
}

function decodePercents(encoded: string): Uint8Array {
  const latin1 = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1')
}
