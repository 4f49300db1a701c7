import { decodeEntities } from './html-entities.js'

/** What is never seen. */
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
  'address article aside blockquote body center dd div dl dt fieldset footer form header hr li main nav ol pre section table tbody tr ul'.split(
    ' ',
  ),
)
const signature = /gmail_signature|moz-signature|ms-outlook-mobile-signature/i
/** What Gmail, Apple's Mail, Thunderbird, Yahoo and Proton put on what they quote. */
const quotation = /type\s*=\s*["']?cite|quote/i
const spacedElements = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** A tag of an HTML text. */
interface Tag {
  readonly name: string
  readonly closes: boolean
  readonly attributes: string
}

/**
 * The text of a mail in HTML as a person reads it, in one pass whatever the HTML: what is not shown is left out,
 * quotations get `> ` before each line, and a signature `-- ` before it.
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
    // Without an end nothing behind it is a tag either, so there is no need to look again.
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

/** Names that are looked for in vain before hidden elements are taken as shown: HTML that people send has none. */
const maxUnclosed = 100

/** Finds where things end; what was looked for in vain is not looked for again. */
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

  /** Behind the end tag of an element whose content begins at `from`; undefined when there is none. */
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

/** Gathers lines of text. */
class LineWriter {
  readonly #lines: string[] = []
  /** Pieces of the line: a string that grows is copied each time its end is looked at. */
  #line: string[] = []
  #isBehindSpace = true
  /** Of each open blockquote, whether it quotes a mail. */
  readonly #quotes: boolean[] = []
  #pre = 0

  write(html: string): void {
    const text = decodeEntities(html).replaceAll('\u00a0', ' ')
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
    if (!closes && signature.test(attributes)) this.#sign()
  }

  toString(): string {
    this.#end()
    return this.#lines.join('\n')
  }

  #add(text: string): void {
    const added = this.#isBehindSpace && text.startsWith(' ') ? text.slice(1) : text
    if (added === '') return
    this.#line.push(added)
    this.#isBehindSpace = added.endsWith(' ')
  }

  #addLines([first = '', ...more]: readonly string[]): void {
    this.#line.push(first)
    for (const line of more) {
      this.#break()
      this.#line.push(line)
    }
  }

  /** Ends a line that has something on it. */
  #end(): void {
    if (this.#line.some(piece => piece.trim() !== '')) this.#break()
    this.#line = []
    this.#isBehindSpace = true
  }

  #break(): void {
    const whole = this.#line.join('')
    const line = this.#pre === 0 ? whole.trim() : whole.trimEnd()
    this.#lines.push(`${this.#quotes.includes(true) ? '> ' : ''}${line === '--' ? '-- ' : line}`)
    this.#line = []
    this.#isBehindSpace = true
  }

  #sign(): void {
    this.#end()
    this.#lines.push('-- ')
  }
}
