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

  it.each<[string, (envelope: object) => object]>([
    ['of another topic', () => createSnsEnvelope(fields(delivered, { TopicArn: `${topic}2` }))],
    [
      'of last week',
      () => createSnsEnvelope(fields(delivered, { Timestamp: '2026-11-15T12:00:00Z' })),
    ],
    ['that was changed', envelope => ({ ...envelope, Message: '{}' })],
    [
      'with a certificate from elsewhere',
      envelope => ({ ...envelope, SigningCertURL: 'https://sns.example.com/a.pem' }),
    ],
    [
      'with a certificate from a similar host',
      envelope => ({
        ...envelope,
        SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.example.com/a.pem',
      }),
    ],
    ['without a signature', envelope => ({ ...envelope, Signature: '' })],
    ['without an envelope', () => delivered],
  ])('%s is refused', async (_, change) => {
    const { post, receipts } = openWebhook()
    expect(await post(change(createSnsEnvelope(fields(delivered))))).toEqual({ status: 403 })
    expect(receipts).toEqual([])
  })
})
