import { Fragment, type Html, h } from '../components/html.js'

/** Text of the OpenAPI document, in which backquotes mark code. */
export function RichText({ text }: { readonly text: string }): Html {
  const parts = text.split('`')
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
}
