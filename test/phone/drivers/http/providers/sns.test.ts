import { describe, expect, it } from 'vitest'
import type { DeliveryReceipt, IncomingText } from '../../../../../src/phone/driver-port/driver.js'
import { createDriver } from '../../../../../src/phone/drivers/driver-registry.js'
import { createClock } from '../../../../../src/util/async/clock.js'
import { now, recipient } from './provider-case.js'
import { createSnsEnvelope, snsCertificate } from './sign-webhook.js'

const topic = 'arn:aws:sns:eu-west-1:123456789012:texts'
const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
const options = { preset: 'aws-sms', region: 'eu-west-1', from: '+1', topic }

function openWebhook() {
  const downloads: string[] = []
  const texts: IncomingText[] = []
  const receipts: DeliveryReceipt[] = []
  const download = async (url: string) => {
    downloads.push(url)
    return snsCertificate
  }
  const clock = { ...createClock(), now: () => now }
  const driver = createDriver('http', options, { env, clock, download })
  driver.listen?.({
    onText: text => void texts.push(text),
    onReceipt: receipt => void receipts.push(receipt),
  })
  const [webhook] = driver.openWebhooks?.() ?? []
  const post = async (envelope: object) => {
    const body = Buffer.from(JSON.stringify(envelope))
    const headers = { 'content-type': 'text/plain; charset=UTF-8' }
    return await webhook?.handle({ method: 'POST', path: '/aws-sms', query: '', headers, body })
  }
  return { post, downloads, texts, receipts }
}

const fields = (message: object, change: Record<string, string> = {}) => ({
  Type: 'Notification',
  MessageId: 'n-1',
  TopicArn: topic,
  Timestamp: new Date(now).toISOString(),
  Message: JSON.stringify(message),
  ...change,
})

const delivered = {
  eventType: 'TEXT_DELIVERED',
  eventTimestamp: now,
  destinationPhoneNumber: recipient,
  messageId: 'e-1',
}

describe('a message of AWS SNS', () => {
  it('brings receipts and received texts; the certificate is downloaded once', async () => {
    const { post, downloads, texts, receipts } = openWebhook()
    const text = { originationNumber: recipient, messageBody: 'Ja', inboundMessageId: 'e-9' }
    expect(await post(createSnsEnvelope(fields(delivered)))).toEqual({ status: 200 })
    expect(await post(createSnsEnvelope(fields(text)))).toEqual({ status: 200 })
    expect(receipts).toEqual([{ to: recipient, state: 'delivered', networkId: 'e-1', at: now }])
    expect(texts).toEqual([{ from: recipient, text: 'Ja', at: 0, ref: 'e-9' }])
    expect(downloads).toHaveLength(1)
  })

  it('confirms the subscription of its topic', async () => {
    const { post, downloads } = openWebhook()
    const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
    const change = { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }
    expect(await post(createSnsEnvelope(fields({}, change)))).toEqual({ status: 200 })
    expect(downloads[1]).toBe(SubscribeURL)
  })

  it.each([
    'https://sns.us-gov-west-1.amazonaws.com/SimpleNotificationService-0a.pem',
    'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-0a.pem',
  ])('is verified with the certificate at %s', async address => {
    const { post, downloads, receipts } = openWebhook()
    expect(await post(createSnsEnvelope(fields(delivered), address))).toEqual({ status: 200 })
    expect([downloads, receipts.length]).toEqual([[address], 1])
  })

  it.each([
    ...['sns.example.com', 'sns.eu-west-1.amazonaws.com.example.com', 'sns.s3.amazonaws.com'],
    ...['sns.s3-eu-west-1.amazonaws.com', 'sns.x.amazonaws.com', 'eu-west-1.amazonaws.com'],
    ...['sns.eu-west-1.amazonaws.com:8443', 'sns.eu-west-1.amazonaws.com:443'],
    ...['me@sns.eu-west-1.amazonaws.com', 'example.com#@sns.eu-west-1.amazonaws.com'],
    ...['sns.eu-west-1.amazonaws.com.cn', 'sns.cn-north-1.amazonaws.com'],
    ...['sns.eu-west-1.amazonaws.com/a', 'SNS.eu-west-1.amazonaws.com', 'example.com\\@sns.a.b'],
  ])('with a certificate at %s is refused', async host => {
    const { post, downloads } = openWebhook()
    const address = `https://${host}/SimpleNotificationService-01ab.pem`
    expect(await post(createSnsEnvelope(fields(delivered), address))).toEqual({ status: 403 })
    expect(downloads).toEqual([])
  })

  it.each([
    ...[
      '/a.pem',
      '/?a=.pem',
      '/SimpleNotificationService-01ab.pem?a=1',
      '/SimpleNotificationService-.pem',
    ],
    ...['/SimpleNotificationService-01ab.pem#a', '/SimpleNotificationService-01xy.pem'],
    ...['/a/../SimpleNotificationService-01ab.pem', '/SimpleNotificationService-01ab.pem/'],
  ])('with a certificate at the path %s is refused', async path => {
    const { post, downloads } = openWebhook()
    const address = `https://sns.eu-west-1.amazonaws.com${path}`
    expect(await post(createSnsEnvelope(fields(delivered), address))).toEqual({ status: 403 })
    expect(downloads).toEqual([])
  })

  it.each([
    ...['http://sns.eu-west-1.amazonaws.com/?a=1', 'https://sns.s3.amazonaws.com/?a=1'],
    ...[
      'https://sns.eu-west-1.amazonaws.com:81/?a=1',
      'https://a@sns.eu-west-1.amazonaws.com/?a=1',
    ],
    ...['https://sns.eu-west-1.amazonaws.com/a?a=1', 'https://sns.eu-west-1.amazonaws.com/?a=1#a'],
  ])('never confirms a subscription at %s', async SubscribeURL => {
    const { post, downloads } = openWebhook()
    const change = { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }
    expect(await post(createSnsEnvelope(fields({}, change)))).toEqual({ status: 200 })
    expect(downloads).toHaveLength(1)
  })

  it.each<[string, (envelope: object) => object]>([
    ['of another topic', () => createSnsEnvelope(fields(delivered, { TopicArn: `${topic}2` }))],
    ['of an unknown type', () => createSnsEnvelope(fields(delivered, { Type: 'notification' }))],
    ['of an inherited type', () => createSnsEnvelope(fields(delivered, { Type: 'toString' }))],
    ['signed in another version', envelope => ({ ...envelope, SignatureVersion: '3' })],
    ['of an inherited version', envelope => ({ ...envelope, SignatureVersion: '__proto__' })],
    [
      'with a field that is no text',
      envelope => ({ ...envelope, SigningCertURL: { toString: 1 } }),
    ],
  ])('%s is refused before anything is downloaded', async (_, change) => {
    const { post, downloads, receipts } = openWebhook()
    expect(await post(change(createSnsEnvelope(fields(delivered))))).toEqual({ status: 403 })
    expect({ downloads, receipts }).toEqual({ downloads: [], receipts: [] })
  })

  it.each<[string, (envelope: object) => object]>([
    [
      'of last week',
      () => createSnsEnvelope(fields(delivered, { Timestamp: '2026-11-15T12:00:00Z' })),
    ],
    ['that was changed', envelope => ({ ...envelope, Message: '{}' })],
    ['without a signature', envelope => ({ ...envelope, Signature: '' })],
    ['without an envelope', () => delivered],
  ])('%s is refused', async (_, change) => {
    const { post, receipts } = openWebhook()
    expect(await post(change(createSnsEnvelope(fields(delivered))))).toEqual({ status: 403 })
    expect(receipts).toEqual([])
  })
})
