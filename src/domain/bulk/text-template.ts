export interface TemplatePlaceholder {
  readonly name: string
}

/** A brace in a text template that is neither doubled nor part of a placeholder. */
export interface StrayBrace {
  readonly stray: string
}

const fieldName = /^[A-Za-z_][\w.-]{0,63}$/
const placeholderPattern = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

/**
 * Splits a text template into text (with doubled braces made single), placeholders and stray
 * braces.
 */
export function splitTemplate(
  template: string,
): readonly (string | TemplatePlaceholder | StrayBrace)[] {
  const pieces: (string | TemplatePlaceholder | StrayBrace)[] = []
  let from = 0
  for (const found of template.matchAll(placeholderPattern)) {
    pieces.push(template.slice(from, found.index), toPiece(found[0], found[1]))
    from = found.index + found[0].length
  }
  return [...pieces, template.slice(from)]
}

/**
 * The names of the placeholders `{name}` of a text template, each once; undefined if it has a stray
 * brace or a name that a field cannot have.
 */
export function getTemplateFields(template: string): readonly string[] | undefined {
  const names = new Set<string>()
  for (const piece of splitTemplate(template)) {
    if (typeof piece === 'string') continue
    if (!('name' in piece) || !fieldName.test(piece.name)) return undefined
    names.add(piece.name)
  }
  return [...names]
}

export function fillTemplate(template: string, fill: (name: string) => string): string {
  const pieces = splitTemplate(template).map(piece => {
    if (typeof piece === 'string') return piece
    return 'name' in piece ? fill(piece.name) : piece.stray
  })
  return pieces.join('')
}

function toPiece(
  whole: string,
  name: string | undefined,
): string | TemplatePlaceholder | StrayBrace {
  if (name !== undefined) return { name }
  return whole.length === 2 ? whole.charAt(0) : { stray: whole }
}
