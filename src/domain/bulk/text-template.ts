// Templates of texts: of bulk rows, of contacts and of secret URLs.
// `{a}` is the field a. `{a|b|"text"}` is the first of these that is not empty; a text in quotes
// may be empty. `{{` and `}}` are braces.

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
 * braces. The last choice of a placeholder is a text if there cannot be such a field.
 * @param isField whether there can be a field. @default as in requests to secret URLs
 */
export function splitTemplate(
  template: string,
  isField: (name: string) => boolean = isFieldName,
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
    if (at > 0 && /^"[^"]*"$/.test(name)) return { text: name.slice(1, -1) }
    const isLast = at > 0 && at === all.length - 1
    return isLast && !isField(name) && !name.includes('"') ? { text: choice } : { field: name }
  })
  return { choices }
}

export interface FilledTemplate {
  readonly text: string
  /** The fields of placeholders that are empty because none of their fields has a value. */
  readonly missing: readonly string[]
}

export function fillTemplate(
  pieces: readonly TemplatePiece[],
  getValue: (field: string) => string | undefined,
): FilledTemplate {
  const missing = new Set<string>()
  const texts = pieces.map(piece => {
    if (typeof piece === 'string') return piece
    if ('stray' in piece) return piece.stray
    const text = choose(piece, getValue)
    if (text === undefined) for (const name of listFields(piece)) missing.add(name)
    return text ?? ''
  })
  return { text: texts.join(''), missing: [...missing] }
}

function choose(
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

/** The fields that a piece of a template uses. */
export function listFields(piece: TemplatePiece): string[] {
  if (typeof piece === 'string' || 'stray' in piece) return []
  return piece.choices.flatMap(choice => ('field' in choice ? choice.field : []))
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
  for (const piece of splitTemplate(template)) {
    if (typeof piece === 'string') continue
    if ('stray' in piece) return undefined
    const isOnly = piece.choices.length === 1
    for (const name of listFields(piece)) {
      if (!isFieldName(name)) return undefined
      fields.set(name, isOnly || fields.get(name) === true)
    }
  }
  return [...fields].map(([name, isRequired]) => ({ name, isRequired }))
}

function isFieldName(name: string): boolean {
  return fieldName.test(name)
}
