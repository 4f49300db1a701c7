/** A JSON body: its text, or its bytes in UTF-8. */
export type Json = string | Buffer

/** A body as it costs least to send. */
export interface JsonBody {
  /** Its bytes, counted. */
  readonly length: number
  readonly content: string | Buffer
  /** How content that is text becomes bytes. */
  readonly encoding: 'latin1' | 'utf8'
}

/** The media type of every JSON reply. */
export const jsonType = 'application/json; charset=utf-8'

/** Up to this length, in bytes, putting a body behind its head costs less than a second piece to write. */
const longestInOnePiece = 4096

/** A JSON body made ready to be sent: bytes only where they are many. */
export function jsonBody(json: Json): JsonBody {
  const length = Buffer.byteLength(json)
  const isText = typeof json === 'string'
  const content = isText || length > longestInOnePiece ? json : json.toString('latin1')
  return { length, content, encoding: length === content.length ? 'latin1' : 'utf8' }
}
