/** A placeholder `{…}` of a template, by the text between its braces. */
export interface TemplatePlaceholder {
  readonly place: string
}

/** A brace that is neither doubled nor part of a placeholder. */
export interface StrayBrace {
  readonly stray: string
}

const placeholderPattern = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

/** Splits a template into text (with doubled braces made single), placeholders and stray braces. */
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
