/** A doubled brace, a named place, or a brace that is neither. */
const piece = /\{\{|\}\}|\{([A-Za-z_][\w.-]{0,63})\}|[{}]/g

/**
 * The names of the places `{name}` of a template, each once; undefined where a brace is neither part of a place nor
 * doubled (README: secret URLs).
 */
export function templateFields(template: string): readonly string[] | undefined {
  const found = [...template.matchAll(piece)]
  const names = found.map(match => match[1])
  if (found.some(match => match[0].length === 1)) return undefined
  return [...new Set(names.filter(name => name !== undefined))]
}

/** The text of a template: its places filled once, whatever the values hold, and doubled braces made single. */
export function fillTemplate(template: string, fill: (name: string) => string): string {
  return template.replace(piece, (found, name: string | undefined) =>
    name === undefined ? found.charAt(0) : fill(name),
  )
}
