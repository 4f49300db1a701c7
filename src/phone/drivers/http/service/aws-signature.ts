import { createHmac, hash } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  readonly region: string
  readonly service: string
}

interface AwsRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Header fields of a request to AWS that are signed, besides `X-Amz-*`. */
const signedNames = ['host', 'content-type']
const algorithm = 'AWS4-HMAC-SHA256'

/**
 * Signs a request to AWS (Signature Version 4): the returned headers are added to it. `now` is in
 * milliseconds since the epoch.
 */
export function signAwsRequest(
  request: AwsRequest,
  credentials: AwsCredentials,
  now: number,
): Record<string, string> {
  const { accessKeyId, sessionToken, region, service } = credentials
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const added = {
    'X-Amz-Date': time,
    ...(sessionToken === undefined ? {} : { 'X-Amz-Security-Token': sessionToken }),
  }
  const fields = Object.entries({ Host: request.url.host, ...request.headers, ...added })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .filter(([name]) => signedNames.includes(name) || name.startsWith('x-amz-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const names = fields.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    request.url.pathname,
    toCanonicalQuery(request.url.searchParams),
    ...fields.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    hash('sha256', request.body ?? '', 'hex'),
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`
  const text = [algorithm, time, scope, hash('sha256', canonical, 'hex')].join('\n')
  const signature = createHmac('sha256', deriveKey(credentials, scope)).update(text).digest('hex')
  const credential = `Credential=${accessKeyId}/${scope}`
  const authorization = `${algorithm} ${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { ...added, Authorization: authorization }
}

function deriveKey({ secretAccessKey }: AwsCredentials, scope: string): Buffer {
  const start = Buffer.from(`AWS4${secretAccessKey}`)
  return scope
    .split('/')
    .reduce((key, step) => createHmac('sha256', key).update(step).digest(), start)
}

function toCanonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&')
}

/** Percent-encodes all but the unreserved characters of a URI (RFC 3986 section 2.3). */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
