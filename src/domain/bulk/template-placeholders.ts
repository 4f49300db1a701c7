/** A place `{…}` of a template, by what stands between its braces. */
export interface TemplatePlace {
  readonly place: string
}

/** A brace that neither belongs to a place nor is doubled. */
export interface StrayBrace {
  readonly stray: string
}

const piece = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

/** A template in pieces: text as it stands, with doubled braces made single, places, and braces that are wrong. */
export function templatePieces(template: string): readonly (string | TemplatePlace | StrayBrace)[] {
  const pieces: (string | TemplatePlace | StrayBrace)[] = []
  let from = 0
  for (const found of template.matchAll(piece)) {
    pieces.push(template.slice(from, found.index), pieceOf(found[0], found[1]))
    from = found.index + found[0].length
  }
  return [...pieces, template.slice(from)]
}

function pieceOf(whole: string, place: string | undefined): string | TemplatePlace | StrayBrace {
  if (place !== undefined) return { place }
  return whole.length === 2 ? whole.charAt(0) : { stray: whole }
}
