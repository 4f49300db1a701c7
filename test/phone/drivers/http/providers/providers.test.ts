import { describe, expect, it, onTestFinished } from 'vitest'
import type { DeliveryReceipt, IncomingText } from '../../../../../src/phone/driver-port/driver.js'
import type { WebhookRequest } from '../../../../../src/phone/driver-port/webhook.js'
import { createDriver } from '../../../../../src/phone/drivers/driver-registry.js'
import { presets } from '../../../../../src/phone/drivers/http/presets/http-presets.js'
import { openWebhookServer } from '../../../../../src/phone/webhooks/webhook-server.js'
import { createClock } from '../../../../../src/util/async/clock.js'
import { openConnection } from '../../../../net/server/client-connection.js'
import { httpDriver, never, startProvider } from '../provider.js'
import { cloudCases } from './cloud-cases.js'
import { gatewayCases } from './gateway-cases.js'
import { keyCases } from './key-cases.js'
import {
  now,
  type ProviderCase,
  type ProviderWebhook,
  recipient,
  sender,
  webhookSecret,
} from './provider-case.js'
import { unsignedCases } from './unsigned-cases.js'

const cases = [...keyCases, ...cloudCases, ...unsignedCases, ...gatewayCases]
const message = { id: 'id-1', destination: recipient, text: 'Hello €' }
const publicUrl = 'https://sms.example.com'

const getOptions = ({ preset, options, receipt }: ProviderCase) => ({
  preset,
  ...options,
  ...(receipt === undefined ? {} : { 'public-url': publicUrl }),
})

it('every preset is tested', () => {
  expect(cases.map(each => each.preset).sort()).toEqual(Object.keys(presets).sort())
})

describe.each(cases.map(each => [each.preset, each] as const))('%s', (_, provider) => {
  it('sends the documented request and reads the reply', async () => {
    const { url, requests } = await startProvider(provider.accepted)
    const driver = httpDriver({ ...getOptions(provider), url }, provider.env, () => now)
    const sent = await driver.send(message, never)
    const ids = provider.receipt === undefined ? {} : { networkIds: [provider.id] }
    const parts = provider.parts === undefined ? {} : { parts: provider.parts }
    expect(sent).toEqual({ ...parts, ...ids })
    expect(driver.concurrency).toBe(32)
    for (const part of provider.request) {
      expect(requests[0]).toEqual(
        typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part),
      )
    }
  })

  it.each(provider.failures)('%s: %j is %s', async (_name, reply, kind) => {
    const { url } = await startProvider(reply)
    const driver = httpDriver({ ...getOptions(provider), url }, provider.env, () => now)
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind })
  })
})

const polled = cases.flatMap(each => (each.status === undefined ? [] : [each]))

describe.each(polled.map(each => [each.preset, each] as const))('%s', (_, provider) => {
  it('asks for the status of a sent text until it is final', async () => {
    const [line, body, state] = provider.status ?? [/^$/, {}, '']
    const pending = { status: 404, body: '{}' }
    const { url, requests } = await startProvider(
      ...[provider.accepted, pending, { status: 200, body: JSON.stringify(body) }],
    )
    const given = { preset: provider.preset, ...provider.options, reports: 'poll', url }
    let time = 0
    const clock = {
      ...createClock(),
      monotonic: () => time,
      after: (wait: number, run: () => void) => {
        time += wait
        queueMicrotask(run)
        return () => {}
      },
    }
    const driver = createDriver('http', given, { env: provider.env, clock })
    const stop = new AbortController()
    const receipts: DeliveryReceipt[] = []
    driver.listen?.({
      onText: () => {},
      onReceipt: receipt => {
        receipts.push(receipt)
        stop.abort()
      },
    })
    await driver.send(message, never)
    await driver.watches?.[0]?.run(() => {}, stop.signal)
    expect(receipts).toMatchObject([{ networkId: provider.id, state, to: recipient }])
    expect(requests).toHaveLength(3)
    expect(requests[2]).toMatch(line)
    await driver[Symbol.asyncDispose]()
  })
})

const called = cases.flatMap(each => (each.receipt === undefined ? [] : [each]))

/** A phone with the webhook of a provider, on a random port. */
async function startPhone(provider: ProviderCase) {
  const clock = { ...createClock(), now: () => now }
  const options = { ...getOptions(provider), url: 'http://127.0.0.1:9' }
  const driver = createDriver('http', options, { env: provider.env, clock })
  const texts: IncomingText[] = []
  const receipts: DeliveryReceipt[] = []
  const warnings: string[] = []
  const listener = {
    onText: async (text: IncomingText) => void texts.push(text),
    onReceipt: async (receipt: DeliveryReceipt) => void receipts.push(receipt),
  }
  const server = await openWebhookServer(driver, {
    host: '127.0.0.1',
    port: 0,
    clock,
    warn: warning => warnings.push(warning),
  })
  onTestFinished(async () => await server[Symbol.asyncDispose]())
  const call = async (webhook: ProviderWebhook, change = keepSignature) => {
    const { method, body, ...built } = buildWebhook(provider, webhook)
    const { path, headers } = change(built)
    const url = `http://127.0.0.1:${server.port}${path}`
    return await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body }) })
  }
  return { driver, listener, texts, receipts, warnings, call, port: server.port }
}

function buildWebhook({ preset, sign }: ProviderCase, webhook: ProviderWebhook) {
  const method = webhook.method ?? 'POST'
  const query = new URLSearchParams(webhook.query).toString()
  const text =
    webhook.form === undefined
      ? JSON.stringify(webhook.body ?? '')
      : new URLSearchParams(webhook.form).toString()
  const body = Buffer.from(method === 'GET' ? '' : text)
  const path = sign === undefined ? `/${preset}/${webhookSecret}` : `/${preset}`
  const target = query === '' ? path : `${path}?${query}`
  const request: WebhookRequest = { method, path, query, headers: {}, body }
  const type = webhook.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const headers = { 'content-type': type, ...sign?.(request, publicUrl + target, now) }
  return { method, body, path: target, headers }
}

interface SentWebhook {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const keepSignature = (webhook: SentWebhook) => webhook

describe.each(called.map(each => [each.preset, each] as const))('%s', (preset, provider) => {
  const { receipt = {}, text = {} } = provider

  it('reports a receipt and a received text by webhook', async () => {
    const { driver, listener, texts, receipts, call } = await startPhone(provider)
    driver.listen?.(listener)
    const reply = await call(receipt)
    expect([reply.status, await reply.text()]).toEqual([200, provider.reply ?? ''])
    expect((await call(text)).status).toBe(200)
    expect(receipts).toMatchObject([{ networkId: provider.id, state: 'delivered' }])
    const numbers = { from: recipient, to: sender }
    expect(texts).toMatchObject([{ ...numbers, text: 'Ja €' }])
    const [{ at: receivedAt = 0, ref } = {}] = texts
    expect(ref === undefined && receivedAt === 0).toBe(false)
    for (const at of [receivedAt, receipts[0]?.at ?? now]) {
      expect(at === 0 || Math.abs(at - now) < 1000).toBe(true)
    }
  })

  it('is refused without a valid signature or secret, and changes nothing', async () => {
    const { driver, listener, texts, receipts, warnings, call } = await startPhone(provider)
    driver.listen?.(listener)
    const changes = [removeSignature, changeSignature]
    for (const [index, webhook] of [receipt, text].entries()) {
      for (const change of changes) {
        const { status } = await call(webhook, change)
        expect({ index, status }).toEqual({ index, status: 403 })
      }
    }
    expect({ texts, receipts }).toEqual({ texts: [], receipts: [] })
    expect(warnings).toEqual([expect.stringContaining(`/${preset}`)])
  })

  it('is repeated by the provider if it cannot be stored', async () => {
    const { driver, call } = await startPhone(provider)
    expect((await call(text)).status).toBe(503)
    const fail = async () => Promise.reject(new Error('The disk is full.'))
    driver.listen?.({ onText: fail, onReceipt: fail })
    expect((await call(text)).status).toBe(500)
    expect((await call(receipt)).status).toBe(500)
  })
})

const withMms = cases.flatMap(each => (each.mms === undefined ? [] : [each]))

it.each(withMms.map(each => [each.preset, each] as const))('%s: an MMS', async (_, provider) => {
  const { driver, listener, texts, call } = await startPhone(provider)
  driver.listen?.(listener)
  const [webhook, expected] = provider.mms ?? [{}, {}]
  expect((await call(webhook)).status).toBe(200)
  expect(texts).toMatchObject([{ from: recipient, to: sender, ...expected }])
})

it('has at most 64 KiB, on 32 connections', async () => {
  const kannel = cases.find(({ preset }) => preset === 'kannel') as ProviderCase
  const { driver, listener, call, port } = await startPhone(kannel)
  driver.listen?.(listener)
  const statuses = ['a'.repeat(65_000), 'a'.repeat(65_537)].map(
    async body => (await call({ body })).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 413])
  const all = await Promise.all(Array.from({ length: 40 }, () => openConnection(port)))
  const refused = all.map(({ received }) => received)
  const count = () => refused.filter(received => received().startsWith('HTTP/1.1 503 ')).length
  await expect.poll(count).toBeGreaterThanOrEqual(8)
  expect(count()).toBeLessThan(40 - 28)
})

it('fields in the query of a form do not count', async () => {
  const jasmin = cases.find(({ preset }) => preset === 'jasmin') as ProviderCase
  const { driver, listener, texts, receipts, call } = await startPhone(jasmin)
  driver.listen?.(listener)
  const query = { message_status: 'DELIVRD', from: recipient, content: 'Ja' }
  expect((await call({ form: { id: jasmin.id }, query })).status).toBe(200)
  expect({ texts, receipts }).toEqual({ texts: [], receipts: [] })
})

function removeSignature({ path, headers }: SentWebhook): SentWebhook {
  const names = Object.entries(headers).filter(([name]) => name === 'content-type')
  return { path: path.replace(`/${webhookSecret}`, ''), headers: Object.fromEntries(names) }
}

function changeSignature({ path, headers }: SentWebhook): SentWebhook {
  const changed = Object.entries(headers).map(([name, value]) => {
    if (name === 'content-type' || /timestamp|nonce|algorithm/.test(name)) return [name, value]
    const at = value.length - 5
    return [name, value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1)]
  })
  return {
    path: path.replace(webhookSecret, `${webhookSecret}s`),
    headers: Object.fromEntries(changed),
  }
}
