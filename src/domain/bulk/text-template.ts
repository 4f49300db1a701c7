// Templates of texts: of bulk rows, of contacts and of secret URLs.
// `{a}` is the field a. `{a|b|"text"}` is the first of these that is not empty; a text in quotes may
// be empty. `{{` and `}}` are braces.

export type TemplatePiece = string | TemplatePlaceholder | StrayBrace

export interface TemplatePlaceholder {
  /** What the placeholder stands for: the first that is not empty. */
  readonly choices: readonly TemplateChoice[]
}

export type TemplateChoice = { readonly field: string } | { readonly text: string }

/** A brace in a text template that is neither doubled nor part of a placeholder. */
export interface StrayBrace {
  readonly stray: string
}

const fieldName = /^[A-Za-z_][\w.-]{0,63}$/
const placeholderPattern = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g
const choicePattern = /(?:^|\|)(\s*"[^"]*"\s*(?=\||$)|[^|]*)/g

/**
 * Splits a text template into text (with doubled braces made single), placeholders and stray
 * braces. The last choice of a placeholder is a text if there is no such field.
 */
export function splitTemplate(
  template: string,
  isField: (name: string) => boolean,
): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = []
  let from = 0
  for (const found of template.matchAll(placeholderPattern)) {
    pieces.push(template.slice(from, found.index), toPiece(found[0], found[1], isField))
    from = found.index + found[0].length
  }
  return [...pieces, template.slice(from)]
}

function toPiece(
  whole: string,
  inner: string | undefined,
  isField: (name: string) => boolean,
): TemplatePiece {
  if (inner === undefined) return whole.length === 2 ? whole.charAt(0) : { stray: whole }
  const all = [...inner.matchAll(choicePattern)].map(([, choice = '']) => choice)
  const choices = all.map((choice, at): TemplateChoice => {
    const name = choice.trim()
    if (at > 0 && name.startsWith('"')) return { text: name.slice(1, -1) }
    const isText = at > 0 && at === all.length - 1 && !isField(name)
    return isText ? { text: choice } : { field: name }
  })
  return { choices }
}

/** The text for a placeholder; undefined if all of its fields are empty and it has no text. */
export function choose(
  { choices }: TemplatePlaceholder,
  getValue: (field: string) => string | undefined,
): string | undefined {
  for (const choice of choices) {
    if ('text' in choice) return choice.text
    const value = getValue(choice.field)
    if (value !== undefined && value.trim() !== '') return value
  }
  return undefined
}

/** Whether a request to a secret URL can have a field of this name. */
function isFieldName(name: string): boolean {
  return fieldName.test(name)
}

/** A field of the request to a secret URL that its template uses. */
export interface TemplateField {
  readonly name: string
  /** Whether nothing else can stand for it. */
  readonly isRequired: boolean
}

/**
 * The fields of a secret URL's template, each once; undefined if it has a stray brace or a name
 * that a field cannot have.
 */
export function getTemplateFields(template: string): readonly TemplateField[] | undefined {
  const fields = new Map<string, boolean>()
  for (const piece of splitTemplate(template, isFieldName)) {
    if (typeof piece === 'string') continue
    if ('stray' in piece) return undefined
    for (const choice of piece.choices) {
      if ('text' in choice) continue
      if (!isFieldName(choice.field)) return undefined
      const isRequired = piece.choices.length === 1 || (fields.get(choice.field) ?? false)
      fields.set(choice.field, isRequired)
    }
  }
  return [...fields].map(([name, isRequired]) => ({ name, isRequired }))
}

/**
 * Fills the template of a secret URL.
 * @returns also the first field of each placeholder that is empty, because all of its fields are
 */
export function fillTemplate(
  template: string,
  getValue: (field: string) => string | undefined,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const pieces = splitTemplate(template, isFieldName).map(piece => {
    if (typeof piece === 'string') return piece
    if ('stray' in piece) return piece.stray
    const text = choose(piece, getValue)
    if (text !== undefined) return text
    for (const choice of piece.choices) if ('field' in choice) missing.add(choice.field)
    return ''
  })
  return { text: pieces.join(''), missing: [...missing] }
}
