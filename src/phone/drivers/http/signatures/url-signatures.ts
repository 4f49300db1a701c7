import { createHmac } from 'node:crypto'
import { parse } from 'node:querystring'
import { isSameSecret } from '../../../../util/crypto/secrets.js'
import { type CheckSignature, getHeader, hashBody, type SignedWebhook } from './signed-webhook.js'

/**
 * Twilio's X-Twilio-Signature: HMAC-SHA1 of the address and the sorted form fields; for another
 * body, the query has its SHA-256. Twilio may sign the address with or without its port.
 */
export const checkTwilioSignature: CheckSignature = (webhook, { secret }) => {
  const signature = getHeader(webhook, 'x-twilio-signature')
  const expectedHash = new URL(webhook.url).searchParams.get('bodySHA256')
  const isForm = getHeader(webhook, 'content-type').startsWith('application/x-www-form-urlencoded')
  if (webhook.body.length > 0 && !isForm && expectedHash !== hashBody(webhook)) return false
  const fields = isForm ? joinSorted(readForm(webhook.body)) : ''
  return listPortVariants(webhook.url).some(url => {
    const expected = createHmac('sha1', secret)
      .update(url + fields)
      .digest('base64')
    return isSameSecret(expected, signature)
  })
}

/**
 * Plivo's signature in X-Plivo-Signature-V3: HMAC-SHA256 of the address with its sorted query, the
 * sorted form fields and a nonce. A header lists one signature for each auth token of the account.
 */
export const checkPlivoSignature: CheckSignature = (webhook, { secret }) =>
  isPlivoSignature(webhook, secret, 'v3', nonce => `${joinPlivoFields(webhook)}.${nonce}`)

/** Also accepts X-Plivo-Signature-V2, which covers only the address and a nonce. */
export const checkPlivoV2Signature: CheckSignature = (webhook, context) =>
  checkPlivoSignature(webhook, context) ||
  isPlivoSignature(webhook, context.secret, 'v2', nonce => webhook.url.split('?')[0] + nonce)

function isPlivoSignature(
  webhook: SignedWebhook,
  secret: string,
  version: string,
  join: (nonce: string) => string,
): boolean {
  const nonce = getHeader(webhook, `x-plivo-signature-${version}-nonce`)
  const signed = join(nonce)
  const expected = createHmac('sha256', secret).update(signed).digest('base64')
  const signatures = ['', 'ma-']
    .map(account => getHeader(webhook, `x-plivo-signature-${account}${version}`))
    .flatMap(header => header.split(','))
  return nonce !== '' && signatures.some(each => isSameSecret(expected, each.trim()))
}

function joinPlivoFields({ method, url, body }: SignedWebhook): string {
  const [base = '', query = ''] = url.split('?', 2)
  const sortedQuery = sortFields(parse(query))
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
  const form = method === 'GET' ? '' : joinSorted(readForm(body))
  const mark = sortedQuery === '' && form === '' ? '' : '?'
  const dot = sortedQuery === '' || form === '' ? '' : '.'
  return `${base}${mark}${sortedQuery}${dot}${form}`
}

type Fields = Readonly<Record<string, string | string[] | undefined>>

function readForm(body: SignedWebhook['body']): Fields {
  return parse(body.toString())
}

function sortFields(fields: Fields): (readonly [string, string])[] {
  return Object.keys(fields)
    .sort()
    .flatMap(key =>
      [fields[key] ?? '']
        .flat()
        .sort()
        .map(value => [key, value] as const),
    )
}

function joinSorted(fields: Fields): string {
  return sortFields(fields).flat().join('')
}

function listPortVariants(url: string): readonly string[] {
  const { protocol, port } = new URL(url)
  const usual = protocol === 'https:' ? '443' : '80'
  const [, scheme = '', host = '', rest = ''] = /^([a-z]+:\/\/)([^/?]+)(.*)$/i.exec(url) ?? []
  const name = host.replace(/:\d+$/, '')
  return [url, `${scheme}${name}:${port || usual}${rest}`, `${scheme}${name}${rest}`]
}
