// JSX for pages. `h` (in this file) creates elements and escapes every child and every attribute;
// only its output is `Html`, so text cannot become markup. Every .tsx file imports `h`, and
// `Fragment` where it writes `<>`.
// The components: `form.tsx` (forms and buttons), `form-fields.tsx`, `local-time-fields.tsx` and
// `confirmation-fields.tsx` (labelled fields), `confirm-button.tsx` (a button that asks first),
// `card.tsx`, `table.tsx`, `pagination.tsx`, `notice.tsx`, `secret.tsx`, `pill.tsx` (states),
// `icons.tsx` and `time.tsx`.
import { escapeHtml, isVoidElement } from '@kitajs/html'

export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export function changeMarkup(html: Html, change: (text: string) => string): Html {
  return new Html(change(html.toString()))
}

/**
 * A child of an element of a dashboard page. Text is escaped; booleans, null and undefined render
 * nothing.
 */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

export type Component<P> = (props: P & { readonly children?: Child }) => Html

/** Addresses that links and forms of the dashboard may have; `javascript:` is not one of them. */
const safeAddress = /^(\/|#|\?|https?:\/\/|mailto:|tel:)/i

type Attributes = Readonly<Record<string, unknown>>

/** Attributes of SVG in dashboard pages that have an upper-case letter (HTML standard 13.2.6.1). */
const svgAttributes = new Set(['viewBox', 'preserveAspectRatio'])

/**
 * In dashboard pages, parsers drop the first line break of these elements (HTML standard
 * 13.2.6.4.7).
 */
const dropsFirstLineBreak = new Set(['textarea', 'pre', 'listing'])

/** The dashboard's JSX factory. Children and attributes are always escaped. */
export function h<P>(
  name: string | Component<P>,
  attributes: Attributes | null,
  ...children: Child[]
): Html {
  if (typeof name === 'function') {
    const childProps = children.length === 0 ? {} : { children }
    return name({ ...(attributes as P), ...childProps })
  }
  const markup = renderMarkup(children)
  const text = dropsFirstLineBreak.has(name) ? `\n${markup}` : markup
  const start = `<${name}${renderAttributes(name, attributes ?? {})}`
  if (text === '' && isVoidElement(name)) return new Html(`${start}/>`)
  return new Html(`${start}>${text}</${name}>`)
}

export function Fragment({ children }: { readonly children?: Child }): Html {
  return new Html(renderMarkup(children))
}

export function renderDocument(html: Html): string {
  return `<!doctype html>\n${html}\n`
}

function renderMarkup(child: Child): string {
  if (child instanceof Html) return child.toString()
  if (Array.isArray(child)) {
    // Not `join`, which would copy the whole markup at each level of a page.
    let text = ''
    for (const each of child) text += renderMarkup(each)
    return text
  }
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  return escapeHtml(String(child))
}

/** Attributes of dashboard pages that are addresses. */
const addressNames = new Set(['href', 'src', 'action', 'formaction'])

/** Names of attributes in the code of dashboard pages that are allowed. */
const knownNames = new Set<string>()

/**
 * Renders HTML attributes; undefined, null and false leave one out. Throws for those that the
 * Content Security Policy forbids, and for names that would have to be escaped.
 */
function renderAttributes(name: string, attributes: Attributes): string {
  let text = ''
  for (const key in attributes) {
    if (!knownNames.has(key)) checkAttributeName(name, key)
    const value = attributes[key]
    if (value === undefined || value === null || value === false) continue
    if (addressNames.has(key) && !safeAddress.test(String(value))) continue
    text += value === true ? ` ${key}` : ` ${key}="${escapeValue(String(value))}"`
  }
  return text
}

function checkAttributeName(name: string, key: string): void {
  const isPlain = /^[a-z][a-z0-9-]*$/.test(key) || svgAttributes.has(key)
  if (!isPlain || /^(style|attrs|on.*)$/.test(key))
    throw new TypeError(`<${name}> must not have the attribute ${key}.`)
  knownNames.add(key)
}

function escapeValue(value: string): string {
  if (!/[&<"]/.test(value)) return value
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;')
}

type KnownElements = globalThis.JSX.IntrinsicElements
type ForbiddenAttributes = 'children' | 'safe' | 'of' | 'tag' | 'attrs' | 'style' | 'className'

/** The JSX types of dashboard pages: those of the package without the unsafe attributes. */
export declare namespace h {
  namespace JSX {
    type Element = Html
    interface ElementChildrenAttribute {
      children: unknown
    }
    type IntrinsicElements = {
      [K in Exclude<keyof KnownElements, 'tag' | 'script'> & string]: Omit<
        KnownElements[K],
        ForbiddenAttributes
      > & {
        readonly children?: Child
      }
    } & { script: { readonly src: string; readonly defer: true } }
  }
}
