import { verify } from 'node:crypto'
import { parseJson } from '../../../../util/text/parse-json.js'
import {
  type CheckSignature,
  getOwn,
  parseUrl,
  type SignatureContext,
  type SignedWebhook,
} from './signed-webhook.js'

const requiredFields = [
  ...(['Type', 'TopicArn', 'Message', 'Timestamp'] as const),
  ...(['SignatureVersion', 'Signature', 'SigningCertURL'] as const),
] as const

type SnsEnvelope = Readonly<Record<(typeof requiredFields)[number], string>>

/** Milliseconds; AWS SNS repeats a notification for up to an hour with its first time. */
const maxAge = 65 * 60_000
/** Not `sns.s3.amazonaws.com`, which is somebody's bucket. */
const snsHost =
  /^sns\.(?:cn-[a-z]+-\d\.amazonaws\.com\.cn|(?!cn-)[a-z]{2}(?:-[a-z]+){1,2}-\d\.amazonaws\.com)$/
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]+\.pem$/
const algorithms: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256' }
const subscriptionFields = [
  ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
]
/** The fields that each type of message signs. */
const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: subscriptionFields,
  UnsubscribeConfirmation: subscriptionFields,
}

/**
 * The RSA signature of AWS SNS, with a certificate that only AWS can serve. AWS also signs the
 * messages of other accounts, so the topic must be the expected one.
 */
export const checkSnsSignature: CheckSignature = async (webhook, context) => {
  const envelope = readSnsEnvelope(webhook)
  if (envelope === undefined || envelope.TopicArn !== context.topic) return false
  const { Type: type, SigningCertURL: address, SignatureVersion: version } = envelope
  const names = getOwn(signedFields, type)
  const algorithm = getOwn(algorithms, version)
  if (names === undefined || algorithm === undefined || !isCertificateAddress(address)) return false
  if (!(Math.abs(context.now - Date.parse(envelope.Timestamp)) <= maxAge)) return false
  const signature = Buffer.from(envelope.Signature, 'base64')
  try {
    const certificate = await context.download(address)
    return verify(algorithm, joinFields(envelope, names), certificate, signature)
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
  const address = envelope?.Type === 'SubscriptionConfirmation' ? readConfirmation(envelope) : ''
  if (address !== '') await download(address)
  return undefined
}

function isCertificateAddress(address: string): boolean {
  const { hostname, pathname } = parseUrl(address) ?? {}
  // Nothing else: no login, port, query, fragment or other spelling.
  const isPlain = address === `https://${hostname}${pathname}`
  return isPlain && snsHost.test(hostname ?? '') && certificatePath.test(pathname ?? '')
}

/** The address that confirms a subscription; empty if the envelope has none. */
function readConfirmation(envelope: SnsEnvelope): string {
  const address = String(Reflect.get(envelope, 'SubscribeURL'))
  const { hostname, search } = parseUrl(address) ?? {}
  const isPlain = address === `https://${hostname}/${search}`
  return isPlain && snsHost.test(hostname ?? '') ? address : ''
}

function readSnsEnvelope({ body }: SignedWebhook): SnsEnvelope | undefined {
  const value = parseJson(body.toString())
  if (typeof value !== 'object' || value === null) return undefined
  const isEnvelope = requiredFields.every(name => typeof Reflect.get(value, name) === 'string')
  return isEnvelope ? (value as SnsEnvelope) : undefined
}

function joinFields(envelope: SnsEnvelope, names: readonly string[]): Buffer {
  const lines = names.flatMap(name => {
    const value: unknown = Reflect.get(envelope, name)
    return typeof value === 'string' ? [`${name}\n${value}\n`] : []
  })
  return Buffer.from(lines.join(''))
}
