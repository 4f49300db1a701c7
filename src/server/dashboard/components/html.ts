/// <reference types="@kitajs/html/htmx.d.ts" />
import { createElement, escapeHtml } from '@kitajs/html'

/** Markup that {@link h} made; every other text is escaped where it is put into a page. */
export class Html {
  readonly #text: string

  /** @param text markup, not escaped: only for {@link h} */
  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What may stand inside of an element: texts are escaped, nothing is shown of booleans, null and undefined. */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

/** A part of a page as a function of its properties. */
export type Component<P> = (props: P & { readonly children?: Child }) => Html

/** Where links and forms may lead: nothing that runs. */
const safeAddress = /^(\/|#|\?|https?:\/\/|mailto:|tel:)/i

type Attributes = Readonly<Record<string, unknown>>

/** Elements in which the parser drops a line break at the beginning (HTML standard, section 13.2.6.4.7). */
const dropsFirstLineBreak = new Set(['textarea', 'pre', 'listing'])

/** Makes an element or a component of JSX; children and attributes are escaped always. */
export function h<P>(
  name: string | Component<P>,
  attributes: Attributes | null,
  ...children: Child[]
): Html {
  if (typeof name === 'function') {
    const given = children.length === 0 ? {} : { children }
    return name({ ...(attributes as P), ...given })
  }
  const inside = renderMarkup(children)
  const text = dropsFirstLineBreak.has(name) ? `\n${inside}` : inside
  const content = text === '' ? [] : [text]
  return new Html(String(createElement(name, escapeAttributes(name, attributes ?? {}), ...content)))
}

/** The JSX of several elements beside each other. */
export function Fragment({ children }: { readonly children?: Child }): Html {
  return new Html(renderMarkup(children))
}

/** The text of a whole document. */
export function renderDocument(html: Html): string {
  return `<!doctype html>\n${html}\n`
}

function renderMarkup(child: Child): string {
  if (child instanceof Html) return child.toString()
  if (Array.isArray(child)) return child.map(renderMarkup).join('')
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  return escapeHtml(String(child))
}

/**
 * Attributes for the library, which escapes the quotes around a value but not `&` and `<`. Throws for those the content
 * security policy forbids, and for those that would not be escaped.
 */
function escapeAttributes(name: string, attributes: Attributes): Attributes {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    if (!/^[a-z][a-z0-9-]*$/.test(key) || /^(style|attrs|on.*)$/.test(key))
      throw new TypeError(`<${name}> must not have the attribute ${key}.`)
    if (/^(href|src|action|formaction)$/.test(key) && !safeAddress.test(String(value))) return [key]
    return [key, typeof value === 'string' ? escapeValue(value) : value] as const
  })
  return Object.fromEntries(pairs)
}

function escapeValue(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

type KnownElements = globalThis.JSX.IntrinsicElements
type ForbiddenAttributes = 'children' | 'safe' | 'of' | 'tag' | 'attrs' | 'style' | 'className'

/** Types of JSX, taken from the library save what is unsafe. */
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
