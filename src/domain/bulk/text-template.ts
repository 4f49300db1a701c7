import { splitTemplate } from './template-placeholders.js'

const fieldName = /^[A-Za-z_][\w.-]{0,63}$/

/**
 * The names of the placeholders `{name}` of a template, each once; undefined if the template has a
 * stray brace or a name that a field cannot have.
 */
export function getTemplateFields(template: string): readonly string[] | undefined {
  const names = new Set<string>()
  for (const piece of splitTemplate(template)) {
    if (typeof piece === 'string') continue
    if (!('place' in piece) || !fieldName.test(piece.place)) return undefined
    names.add(piece.place)
  }
  return [...names]
}

/** Fills a template; braces in the values are not placeholders. */
export function fillTemplate(template: string, fill: (name: string) => string): string {
  const pieces = splitTemplate(template).map(piece => {
    if (typeof piece === 'string') return piece
    return 'place' in piece ? fill(piece.place) : piece.stray
  })
  return pieces.join('')
}
