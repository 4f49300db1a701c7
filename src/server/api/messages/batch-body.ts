import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import {
  decodeUtf8,
  isJsonType,
  mediaTypeError,
  parseUniqueJson,
  readBody,
} from '../../http/request-body.js'

const lineTypes = new Set(['application/x-ndjson', 'application/ndjson', 'application/jsonl'])

/**
 * Reads the items of a batch for the API: a JSON array, an object with it in the field `name`, or
 * one JSON value a line. Throws `unsupported_media_type`, `payload_too_large` and
 * `invalid_request`.
 */
export async function readBatch(request: HttpRequest, name: string): Promise<unknown[]> {
  const body = await readBody(request, limits.batchBody)
  const items = parseBatch(body.type, decodeUtf8(body), name)
  if (items.length <= limits.messageBatch) return items
  throw new RelayError(
    'invalid_request',
    `A batch has at most ${limits.messageBatch} ${name}; send the others in another request.`,
  )
}

function parseBatch(type: string, text: string, name: string): unknown[] {
  if (lineTypes.has(type)) return parseLines(text)
  if (!isJsonType(type) && text !== '') {
    throw mediaTypeError('application/json or application/x-ndjson')
  }
  const value = parseUniqueJson(text)
  const items = Array.isArray(value) ? value : (value as Record<string, unknown> | null)?.[name]
  if (Array.isArray(items)) return items
  throw new RelayError('invalid_request', `The body must be a JSON array of ${name}.`)
}

function parseLines(text: string): unknown[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.map((line, at) => {
    const value = parseUniqueJson(line)
    if (value !== undefined) return value
    throw new RelayError('invalid_request', `Item ${at + 1} of the body is not JSON.`)
  })
}
