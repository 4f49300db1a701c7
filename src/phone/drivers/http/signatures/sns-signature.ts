import { verify } from 'node:crypto'
import { parseJson } from '../../../../util/text/parse-json.js'
import type { CheckSignature, SignatureContext, SignedWebhook } from './signed-webhook.js'

interface SnsEnvelope {
  readonly Type: string
  readonly TopicArn: string
  readonly Message: string
  readonly Timestamp: string
  readonly SignatureVersion: string
  readonly Signature: string
  readonly SigningCertURL: string
  readonly SubscribeURL?: string
}

/** Milliseconds; AWS SNS repeats a notification for up to an hour with its first time. */
const maxAge = 65 * 60_000
const snsAddress = /^https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\//
const notificationFields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const subscriptionFields = [
  ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
]

/**
 * The RSA signature of AWS SNS, with a certificate that only AWS can serve. AWS also signs the
 * messages of other accounts, so the topic must be the expected one.
 */
export const checkSnsSignature: CheckSignature = async (webhook, context) => {
  const envelope = readSnsEnvelope(webhook)
  if (envelope === undefined || envelope.TopicArn !== context.topic) return false
  const { SigningCertURL: address, SignatureVersion: version, Signature: signature } = envelope
  if (!snsAddress.test(address) || !/\.pem$/.test(address)) return false
  if (!(Math.abs(context.now - Date.parse(envelope.Timestamp)) <= maxAge)) return false
  const algorithm = version === '2' ? 'sha256' : 'sha1'
  try {
    const certificate = await context.download(address)
    return verify(algorithm, joinFields(envelope), certificate, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** The body that AWS SNS carries; confirms a subscription instead, which carries none. */
export async function openSnsEnvelope(
  webhook: SignedWebhook,
  download: SignatureContext['download'],
): Promise<unknown> {
  const envelope = readSnsEnvelope(webhook)
  if (envelope?.Type === 'Notification') return parseJson(envelope.Message)
  const address = envelope?.SubscribeURL ?? ''
  if (envelope?.Type === 'SubscriptionConfirmation' && snsAddress.test(address)) {
    await download(address)
  }
  return undefined
}

function readSnsEnvelope({ body }: SignedWebhook): SnsEnvelope | undefined {
  const value = parseJson(body.toString())
  const isEnvelope = typeof value === 'object' && value !== null && 'SigningCertURL' in value
  return isEnvelope ? (value as SnsEnvelope) : undefined
}

function joinFields(envelope: SnsEnvelope): Buffer {
  const names = envelope.Type === 'Notification' ? notificationFields : subscriptionFields
  const lines = names.flatMap(name => {
    const value: unknown = Reflect.get(envelope, name)
    return typeof value === 'string' ? [`${name}\n${value}\n`] : []
  })
  return Buffer.from(lines.join(''))
}
