import { SmtpRejection } from './smtp-reply.js'

/** A text, or a group of parts with texts (RFC 2045 and 2046). Attached files are left out. */
export interface MailPart {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly encoding: string
  /** The lines of a text as they arrived. */
  readonly body: readonly Buffer[]
  readonly parts: readonly MailPart[]
}

export interface MailParts {
  readonly head: Buffer
  readonly root: MailPart
  readonly isEncrypted: boolean
}

/**
 * Bytes and lines of all texts of a mail; a head counts as a line. What follows is not read, but a
 * mail whose own text has more bytes is refused.
 */
const maxTextSize = 1024 * 1024
const maxTextLines = 16_384
const maxHeadSize = 64 * 1024
const maxDepth = 32
/** Bytes of a line to hold: a longer line is read in pieces. */
const maxLineSize = 8192

/** Old programs send text that PGP signed as `application/pgp`. */
const textTypes = new Set(['text/plain', 'text/html', 'application/pgp'])

const lineFeed = 0x0a
const dash = 0x2d

/**
 * Reads a mail to its end, so that the client can read the reply to an invalid one, and holds only
 * its texts. Throws {@link SmtpRejection} for a mail that is too long, incomplete or invalid.
 */
export async function readMailParts(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxSize: number,
): Promise<MailParts> {
  const reader = new PartReader()
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size <= maxSize) reader.write(chunk)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new SmtpRejection(451, '4.4.2 The mail is incomplete.')
  }
  if (size > maxSize) {
    throw new SmtpRejection(552, `5.3.4 A mail must have at most ${maxSize} bytes.`)
  }
  return reader.end()
}

interface OpenPart extends MailPart {
  readonly body: Buffer[]
  readonly parts: MailPart[]
  readonly boundary: string | undefined
  isText: boolean
}

class PartReader {
  /** The part that is read now, behind the groups that contain it. */
  readonly #open: OpenPart[] = []
  #root: OpenPart | undefined
  #rootHead = Buffer.alloc(0)
  #head: Buffer[] | undefined = []
  #headSize = 0
  #line = Buffer.alloc(0)
  #isMidLine = false
  #firstText: OpenPart | undefined
  #lastText: OpenPart | undefined
  #textSize = 0
  #textLines = 0
  #isEncrypted = false
  #isInvalid = false

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, at)) {
      const rest = bytes.subarray(at, end + 1)
      this.#readLine(at === 0 ? Buffer.concat([this.#line, rest]) : rest)
      at = end + 1
    }
    this.#line = Buffer.concat(at === 0 ? [this.#line, bytes] : [bytes.subarray(at)])
    if (this.#line.length > maxLineSize) this.#flush()
  }

  end(): MailParts {
    this.#flush()
    this.#closeTo(0)
    const root = this.#root
    if (this.#textSize > maxTextSize && this.#lastText === this.#firstText) {
      throw new SmtpRejection(
        552,
        `5.3.4 The text of a mail must have at most ${maxTextSize} bytes, without attached files.`,
      )
    }
    if (root === undefined || this.#isInvalid) {
      throw new SmtpRejection(554, '5.6.0 The MIME structure of this mail is invalid.')
    }
    return { head: this.#rootHead, root, isEncrypted: this.#isEncrypted }
  }

  #flush(): void {
    if (this.#line.length > 0) this.#readLine(this.#line)
    this.#line = Buffer.alloc(0)
  }

  /** Reads a line, or a piece of a long one. */
  #readLine(line: Buffer): void {
    const isStart = !this.#isMidLine
    this.#isMidLine = line.at(-1) !== lineFeed
    if (this.#isInvalid || this.#textSize > maxTextSize || this.#textLines > maxTextLines) return
    if (isStart && line[0] === dash && line[1] === dash && this.#readBoundary(line)) return
    if (this.#head === undefined) this.#readText(line)
    else if (isStart && /^\r*\n$/.test(line.toString('latin1', 0, 4))) this.#endHead()
    else this.#readHead(line, this.#head)
  }

  #readHead(line: Buffer, head: Buffer[]): void {
    this.#headSize += line.length
    if (this.#headSize > maxHeadSize) this.#isInvalid = true
    else head.push(Buffer.from(line))
  }

  #endHead(): void {
    const head = Buffer.concat(this.#head ?? [])
    this.#head = undefined
    this.#headSize = 0
    this.#textLines += 1
    const part = openPart(head.toString('latin1'), this.#open.at(-1))
    if (isEncrypted(part)) this.#isEncrypted = true
    if (this.#root === undefined) {
      this.#root = part
      this.#rootHead = head
    }
    this.#open.push(part)
    if (this.#open.length > maxDepth) this.#isInvalid = true
  }

  #readText(line: Buffer): void {
    const part = this.#open.at(-1)
    if (part === undefined || !part.isText) return
    // HTML can contain pictures, so it is cut.
    if (part.type === 'text/plain') this.#firstText ??= part
    this.#lastText = part
    this.#textSize += line.length
    this.#textLines += 1
    // A copy, because the line is a view of the bytes of the attached files around it.
    if (this.#textSize <= maxTextSize && this.#textLines <= maxTextLines) {
      part.body.push(Buffer.from(line))
    }
  }

  #readBoundary(line: Buffer): boolean {
    const text = line.toString('latin1').trimEnd()
    const at = this.#open.findLastIndex(
      ({ boundary }) =>
        boundary !== undefined && (text === `--${boundary}` || text === `--${boundary}--`),
    )
    const group = this.#open[at]
    if (group === undefined) return false
    this.#closeTo(at + 1)
    group.isText = false
    group.body.length = 0
    if (text === `--${group.boundary}`) this.#head = []
    else this.#closeTo(at)
    return true
  }

  /** Keeps only parts with text: a mail can have millions of others. */
  #closeTo(depth: number): void {
    if (this.#head !== undefined) this.#endHead()
    while (this.#open.length > depth) {
      const part = this.#open.pop()
      if (part === undefined) return
      if (part.body.length > 0 || part.parts.length > 0) this.#open.at(-1)?.parts.push(part)
    }
  }
}

function openPart(head: string, parent: OpenPart | undefined): OpenPart {
  const { type, parameters } = parseContentType(readField(head, 'content-type'), parent?.type)
  const isGroup = type.startsWith('multipart/')
  const isAttached = /^attachment\b/i.test(readField(head, 'content-disposition'))
  return {
    type,
    parameters,
    encoding: readField(head, 'content-transfer-encoding').toLowerCase(),
    // Without a boundary line the lines of a group are a text.
    isText: isGroup || (!isAttached && textTypes.has(type)),
    boundary: (isGroup && parameters.get('boundary')?.trimEnd()) || undefined,
    body: [],
    parts: [],
  }
}

/** Whether a part holds the mail itself (RFC 3156 and 8551), unlike an attached signed document. */
function isEncrypted({ type, parameters }: MailPart): boolean {
  const isSmime = /^application\/(?:x-)?pkcs7-mime$/.test(type)
  return (
    type === 'multipart/encrypted' ||
    (isSmime && /^(?:smime\.p7m)?$/i.test(parameters.get('name') ?? ''))
  )
}

/** The value of a field, unfolded, without comments (RFC 5322, section 3.2.2). */
function readField(head: string, name: string): string {
  const field = new RegExp(String.raw`^${name}[ \t]*:(.*(?:\r?\n[ \t].*)*)`, 'im').exec(head)?.[1]
  return (field ?? '')
    .replace(/\r?\n/g, '')
    .replace(/"(?:\\.|[^"\\])*"|(?<=^|\s)\([^()]*\)/g, found =>
      found.startsWith('"') ? found : '',
    )
    .trim()
}

/** Parses a content type (RFC 2045, section 5.1), also with continued parameters (RFC 2231). */
function parseContentType(field: string, parentType: string | undefined) {
  const named = /^[^\s;]*/.exec(field)?.[0].toLowerCase() ?? ''
  const byDefault = parentType === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  const parameters = new Map<string, string>()
  const pairs = field.matchAll(
    /[;\s]([^\s=;*"]+)(\*\d+)?\*?\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g,
  )
  for (const [, name = '', section, quoted, token = ''] of pairs) {
    const key = name.toLowerCase()
    const before = parameters.get(key)
    const value = quoted?.replace(/\\(.)/g, '$1') ?? token
    if (before === undefined || section !== undefined) parameters.set(key, (before ?? '') + value)
  }
  return { type: named.includes('/') ? named : byDefault, parameters }
}
