import { RelayError } from '../../errors.js'

export interface SavedWebhook {
  readonly target: string
  /** Header fields of the saved webhook, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Bytes of the webhook's body that are missing in the file. */
  readonly missingBytes: number
}

/**
 * Parses a file with saved webhooks for `hook verify`: one raw HTTP request, or JSON lines of `hook
 * listen --json`, of which lines without headers are ignored. Throws `usage`.
 */
export function parseSavedWebhooks(bytes: Buffer): SavedWebhook[] {
  const isJson = /^\s*\{/.test(bytes.subarray(0, 1024).toString('latin1'))
  const webhooks = isJson ? parseJsonLines(bytes.toString('utf8')) : [parseRequest(bytes)]
  if (webhooks.length > 0) return webhooks
  throw notAWebhookError('no line has headers')
}

/** Parses a saved HTTP request. Lines may end in LF only; some tools save requests this way. */
function parseRequest(bytes: Buffer): SavedWebhook {
  const text = bytes.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const [line = '', ...lines] = head.replace(/^\s+/, '').split(/\r?\n/)
  const target = /^[^\s:]+ (\S+)(?: HTTP\/[\d.]+)?$/.exec(line)?.[1]
  if (target === undefined) throw notAWebhookError('the first line is not the request line of HTTP')
  const headers = parseHeaderLines(lines)
  const rest = end === null ? Buffer.alloc(0) : bytes.subarray(end.index + end[0].length)
  const length = Number(headers['content-length'] ?? rest.length)
  const body = rest.subarray(0, length).toString('utf8')
  return { target, headers, body, missingBytes: Math.max(length - rest.length, 0) }
}

function parseHeaderLines(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()]
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}

function parseJsonLines(text: string): SavedWebhook[] {
  const whole = parseJsonObject(text)
  if (whole !== undefined) return parseRecord(whole)
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .flatMap(line => {
      const record = parseJsonObject(line)
      if (record === undefined) throw notAWebhookError('a line is not JSON')
      return parseRecord(record)
    })
}

function parseRecord(record: Record<string, unknown>): SavedWebhook[] {
  const { headers, body, url, target = url } = record
  if (!isRecord(headers)) return []
  const text = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(' ') : String(value),
  ])
  return [
    {
      target: String(target ?? ''),
      headers: Object.fromEntries(text),
      body: typeof body === 'string' ? body : '',
      missingBytes: 0,
    },
  ]
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notAWebhookError(reason: string): RelayError {
  return new RelayError('usage', `The file is not a saved webhook: ${reason}.`, {
    hint:
      'Save a raw HTTP request (request line, headers, blank line, body), or the output of ' +
      '`smsrelay hook listen --json`.',
  })
}
