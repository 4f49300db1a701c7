import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { type Html, h } from '../components/html.js'

const deflate = promisify(deflateRaw) as (
  bytes: Buffer,
  options: { readonly level?: number; readonly finishFlush?: number },
) => Promise<Buffer>

/** What the relay looks for in each page of the dashboard, so a constant part must not have it. */
const variable = /<use href="#i-|<time datetime="|<form|data-passkey=|class="secret"/

/** The header of gzip without name and time (RFC 1952 section 2.3). */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/**
 * A long part of a dashboard page that is the same in each reply, as bytes: it is compressed once,
 * and nothing searches or copies it for a reply. The page around it has {@link place}.
 */
export class ConstantPart {
  /** Where the page has this part. Text cannot contain this markup. */
  readonly place: Html = <div data-constant />
  readonly #bytes: Buffer
  #deflated: Promise<Buffer> | undefined

  constructor(html: Html) {
    const found = variable.exec(html.toString())
    if (found !== null) throw new TypeError(`A constant part must not have ${found[0]}.`)
    this.#bytes = Buffer.from(html.toString())
  }

  /** The document with this part in its place. */
  insert(document: string): Buffer {
    const [before, after] = this.#split(document)
    return Buffer.concat([before, this.#bytes, after])
  }

  /**
   * The document with this part in its place, as gzip. A full flush ends the blocks of a part at a
   * byte, and the next part refers to none before it (zlib manual), so the compressed parts can be
   * joined. Brotli has no such end: its distances count from the begin of the document.
   */
  async compress(document: string): Promise<Buffer> {
    const finishFlush = constants.Z_FULL_FLUSH
    const [before, after] = this.#split(document)
    this.#deflated ??= deflate(this.#bytes, { level: constants.Z_BEST_COMPRESSION, finishFlush })
    const parts = [deflate(before, { finishFlush }), this.#deflated, deflate(after, {})]
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(crc32(after, crc32(this.#bytes, crc32(before))))
    trailer.writeUInt32LE(before.length + this.#bytes.length + after.length, 4)
    return Buffer.concat([header, ...(await Promise.all(parts)), trailer])
  }

  #split(document: string): readonly [before: Buffer, after: Buffer] {
    const [before = '', after = ''] = document.split(this.place.toString())
    return [Buffer.from(before), Buffer.from(after)]
  }
}
