/** A place `{…}` of a template, by what stands between its braces. */
export interface TemplatePlaceholder {
  readonly place: string
}

/** A brace that neither belongs to a place nor is doubled. */
export interface StrayBrace {
  readonly stray: string
}

const placeholderPattern = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

/** A template in pieces: text as it stands, with doubled braces made single, places, and braces that are wrong. */
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

function toPiece(
  whole: string,
  place: string | undefined,
): string | TemplatePlaceholder | StrayBrace {
  if (place !== undefined) return { place }
  return whole.length === 2 ? whole.charAt(0) : { stray: whole }
}
