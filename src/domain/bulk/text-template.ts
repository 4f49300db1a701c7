import { splitTemplate } from './template-placeholders.js'

const fieldName = /^[A-Za-z_][\w.-]{0,63}$/

/**
 * The names of the places `{name}` of a template, each once; undefined where a brace is neither part of a place nor
 * doubled, or a place is not named as a field can be (README: secret URLs).
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

/** The text of a template: its places filled once, whatever the values hold, and doubled braces made single. */
export function fillTemplate(template: string, fill: (name: string) => string): string {
  const pieces = splitTemplate(template).map(piece => {
    if (typeof piece === 'string') return piece
    return 'place' in piece ? fill(piece.place) : piece.stray
  })
  return pieces.join('')
}
