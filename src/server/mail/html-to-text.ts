import { restoreWindows1252 } from '../../util/text/charset.js'

const hiddenElements = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'svg',
  'object',
  'select',
])
const blockElements = new Set(
  [
    'address article aside blockquote body center dd div dl dt fieldset footer form header hr',
    'li main nav ol pre section table tbody tr ul',
  ]
    .join(' ')
    .split(' '),
)
const signature = /gmail_signature|moz-signature|ms-outlook-mobile-signature/i
/** How Gmail, Apple Mail, Thunderbird, Yahoo and Proton mark quotations in HTML mail. */
const quotation = /type\s*=\s*["']?cite|quote/i
const spacedElements = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

interface Tag {
  readonly name: string
  readonly closes: boolean
  readonly attributes: string
}

/**
 * Converts the HTML of a mail to the text that a person sees, in one pass for any input. Hidden
 * elements are left out, quoted lines begin with `> `, and a line `-- ` precedes a signature.
 */
export function htmlToText(html: string): string {
  const lines = new LineWriter()
  const ends = new EndFinder(html)
  const opening = /<[a-z!?/]/gi
  let at = 0
  while (at < html.length) {
    opening.lastIndex = at
    const open = opening.exec(html)?.index
    if (open === undefined) break
    lines.write(html.slice(at, open))
    at = html.startsWith('<!--', open)
      ? ends.findCommentEnd(open)
      : readTag(html, open, lines, ends)
  }
  lines.write(html.slice(at))
  return lines.toString()
}

function readTag(html: string, open: number, lines: LineWriter, ends: EndFinder): number {
  const [head = '', slash, name = ''] =
    /^<(\/?)([a-z][a-z0-9]*)|^<[!?/]/i.exec(html.slice(open, open + 20)) ?? []
  const close = html.indexOf('>', open)
  if (close === -1) {
    // The HTML of the mail has no further `>`, so nothing after this is a tag.
    lines.write(html.slice(open))
    return html.length
  }
  const attributes = html.slice(open + head.length, close)
  const tag = { name: name.toLowerCase(), closes: slash === '/', attributes }
  const end = isHidden(tag) ? ends.findElementEnd(tag.name, close + 1) : undefined
  if (end === undefined) lines.writeTag(tag)
  return end ?? close + 1
}

function isHidden({ name, closes, attributes }: Tag): boolean {
  if (closes || attributes.endsWith('/')) return false
  return hiddenElements.has(name) || /display\s*:\s*none/i.test(attributes)
}

/**
 * After so many hidden HTML elements without an end tag, all are shown: real mail has none of them.
 */
const maxUnclosed = 100

class EndFinder {
  readonly #html: string
  readonly #endless = new Set<string>()

  constructor(html: string) {
    this.#html = html
  }

  findCommentEnd(open: number): number {
    const end = this.#html.indexOf('-->', open + 2)
    return end === -1 ? this.#html.length : end + 3
  }

  /** The position after the end tag of an HTML element whose content begins at `from`. */
  findElementEnd(name: string, from: number): number | undefined {
    if (this.#endless.has(name) || this.#endless.size >= maxUnclosed) return undefined
    const tags = new RegExp(`<(/?)${name}(?=[\\s/>])`, 'gi')
    tags.lastIndex = from
    let depth = 1
    for (let tag = tags.exec(this.#html); tag !== null; tag = tags.exec(this.#html)) {
      depth += tag[1] === '/' ? -1 : 1
      if (depth === 0) return this.#behindTag(tags.lastIndex)
    }
    this.#endless.add(name)
    return undefined
  }

  #behindTag(from: number): number {
    const close = this.#html.indexOf('>', from)
    return close === -1 ? this.#html.length : close + 1
  }
}

class LineWriter {
  readonly #lines: string[] = []
  #line: string[] = []
  #isAfterSpace = true
  /**
   * Whether the present line of the mail has a no-break space; then it is not left out if it is
   * empty.
   */
  #hasFixedSpace = false
  readonly #quotes: boolean[] = []
  #pre = 0

  write(html: string): void {
    const decoded = decodeEntities(html)
    const text = decoded.replaceAll('\u00a0', ' ')
    this.#hasFixedSpace ||= text !== decoded
    if (this.#pre === 0) this.#add(text.replace(/[ \t\r\n\f]+/g, ' '))
    else this.#addLines(text.split(/\r?\n/))
  }

  writeTag({ name, closes, attributes }: Tag): void {
    if (name === 'br') this.#break()
    if (blockElements.has(name) || spacedElements.has(name)) this.#end()
    if (spacedElements.has(name)) this.#break()
    if (name === 'td' || name === 'th') this.#add(' ')
    if (name === 'li' && !closes) this.#add('- ')
    if (name === 'pre') this.#pre = Math.max(0, this.#pre + (closes ? -1 : 1))
    if (name === 'blockquote' && closes) this.#quotes.pop()
    if (name === 'blockquote' && !closes) this.#quotes.push(quotation.test(attributes))
    if (!closes && signature.test(attributes)) this.#startSignature()
  }

  toString(): string {
    this.#end()
    return this.#lines.join('\n')
  }

  #add(text: string): void {
    const added = this.#isAfterSpace && text.startsWith(' ') ? text.slice(1) : text
    if (added === '') return
    this.#line.push(added)
    this.#isAfterSpace = added.endsWith(' ')
  }

  #addLines([first = '', ...more]: readonly string[]): void {
    this.#line.push(first)
    for (const line of more) {
      this.#break()
      this.#line.push(line)
    }
  }

  #end(): void {
    if (this.#hasFixedSpace || this.#line.some(piece => piece.trim() !== '')) this.#break()
    this.#line = []
    this.#isAfterSpace = true
  }

  #break(): void {
    const whole = this.#line.join('')
    const line = this.#pre === 0 ? whole.trim() : whole.trimEnd()
    this.#hasFixedSpace = false
    this.#lines.push(`${this.#quotes.includes(true) ? '> ' : ''}${line === '--' ? '-- ' : line}`)
    this.#line = []
    this.#isAfterSpace = true
  }

  #startSignature(): void {
    this.#end()
    this.#lines.push('-- ')
  }
}

/** HTML's names of the characters from U+00A0 to U+00FF. */
const latin = [
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg',
  'plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute',
  'Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc',
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute',
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide',
  'oslash ugrave uacute ucirc uuml yacute thorn yuml',
].join(' ')
const others = [
  'amp& lt< gt> quot" apos\' ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„',
  'hellip… bull• euro€ trade™ dagger† larr← uarr↑ rarr→ darr↓ lsaquo‹ rsaquo› minus−',
  'le≤ ge≥ ne≠ asymp≈ check✓ OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161',
  'zwnj\u200c zwj\u200d ensp\u2002 emsp\u2003 thinsp\u2009',
].join(' ')

const characters = new Map<string, string>([
  ...latin.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(160 + at)]),
  ...others.split(' ').map((each): [string, string] => [each.slice(0, -1), each.slice(-1)]),
])

/**
 * Replaces HTML character references; unknown ones stay as they are (HTML standard, section 13.5).
 */
function decodeEntities(html: string): string {
  return html.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,8}));?/gi,
    (whole, ...found) => {
      const [decimal, hex, name] = found as (string | undefined)[]
      if (name !== undefined) return characters.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10ffff ? restoreWindows1252(String.fromCodePoint(code)) : ''
    },
  )
}
