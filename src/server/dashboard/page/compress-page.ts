// The length of a compressed page tells which of its parts are equal (BREACH). So a page is
// compressed only if
// 1. it shows no secret; its tokens look different each time (`session/csrf.ts`),
// 2. a person opened it, from this site: no other site can put texts into its address, and nobody
//    can see the lengths of many updates by sending many texts.
// And a compressed page ends with a random number of random characters.
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpRequest, RequestMetadata } from '../../../net/server/http-request.js'
import { hasSecret } from '../components/secret.js'

/** How the dashboard compresses, the smaller first (RFC 9110 section 8.4.1, RFC 7932). */
const codings = ['br', 'gzip'] as const

export type ContentCoding = (typeof codings)[number]

const compressors = {
  br: async (bytes: Buffer) =>
    await promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 3,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
} as const satisfies Record<ContentCoding, (bytes: Buffer) => Promise<Buffer>>

/** Bytes of a page that is too short to become shorter. */
const minLength = 1024
const maxPadding = 96

export interface CompressedPage {
  readonly coding: ContentCoding
  readonly bytes: Buffer
}

export interface PageToCompress {
  readonly document: string
  readonly isSecure: boolean
  readonly isUpdate: boolean
}

/** Compresses a page of the dashboard; undefined if it has to be sent as it is. */
export async function compressPage(
  request: HttpRequest,
  { document, isSecure, isUpdate }: PageToCompress,
): Promise<CompressedPage | undefined> {
  const coding = chooseCoding(request)
  if (coding === undefined || document.length < minLength) return undefined
  if (isUpdate || hasSecret(document) || !isOpenedHere(request, isSecure)) return undefined
  return { coding, bytes: await compressors[coding](Buffer.from(document + createPadding())) }
}

/**
 * Whether a link or form of this site, or a person, opened the page. Browsers say so only over TLS
 * and to this machine (Fetch Metadata, section 2.3); without TLS the page itself can be read.
 */
function isOpenedHere({ headers }: HttpRequest, isSecure: boolean): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? !isSecure : site === 'same-origin' || site === 'none'
}

function createPadding(): string {
  return `<!-- ${randomBytes(randomInt(maxPadding)).toString('base64url')} -->\n`
}

/** Chooses a coding that the browser accepts; undefined if it accepts none. */
export function chooseCoding({
  headers,
}: Pick<RequestMetadata, 'headers'>): ContentCoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter(each => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map(each => each.split(';')[0]?.trim())
  return codings.find(each => accepted.includes(each))
}
