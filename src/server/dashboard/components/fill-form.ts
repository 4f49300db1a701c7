import { batchFieldName, formKeyName, versionFieldName } from './form.js'
import { changeMarkup, type Html } from './html.js'

const attributes = String.raw`((?:\s+[a-z][a-z0-9-]*(?:="[^"]*")?)*)\s*`
const forms = new RegExp(`(<form${attributes}>)([^]*?)</form>`, 'g')
const inputs = new RegExp(`<input${attributes}/?>`, 'g')
const textAreas = new RegExp(`<textarea${attributes}>[^<]*</textarea>`, 'g')
const selects = new RegExp(`(<select${attributes}>)([^]*?)</select>`, 'g')
const options = new RegExp(`<option${attributes}>`, 'g')

/** Types of dashboard inputs that show the text that a person entered. */
const textTypes = new Set(['text', 'email', 'tel', 'url', 'number', 'search', 'datetime-local'])

/** Without them, a form would overwrite a later version, or have its effect again. */
const hiddenNames = new Set([versionFieldName, batchFieldName, formKeyName])

type Fields = Readonly<Record<string, string>>

interface FormInput {
  readonly action: string
  /** The key that the form gets; empty: it keeps its own. */
  readonly key: string
  readonly fields: Fields
}

/**
 * Fills the first form of a dashboard page that is sent to a path and has one of the fields;
 * undefined if the page has no such form.
 */
export function fillForm(body: Html, { action, key, fields }: FormInput): Html | undefined {
  let isFilled = false
  const filled = changeMarkup(body, text =>
    text.replace(forms, (form: string, start: string, names: string, content: string) => {
      if (isFilled || getAttribute(names, 'action') !== escapeText(action)) return form
      const result = fillFields(content, fields)
      isFilled = result !== content
      const named = isFilled && key !== '' ? fillFields(result, { [formKeyName]: key }) : result
      return `${start}${named}</form>`
    }),
  )
  return isFilled ? filled : undefined
}

function fillFields(content: string, fields: Fields): string {
  return content
    .replace(inputs, (tag: string, names: string) => fillInput(tag, names, fields))
    .replace(textAreas, (tag: string, names: string) => {
      const value = fields[getAttribute(names, 'name') ?? '']
      // Parsers drop the first line break (HTML standard 13.2.6.4.7).
      return value === undefined ? tag : `<textarea${names}>\n${escapeText(value)}</textarea>`
    })
    .replace(selects, (tag: string, start: string, names: string, list: string) => {
      const value = fields[getAttribute(names, 'name') ?? '']
      return value === undefined ? tag : `${start}${selectOption(list, value)}</select>`
    })
}

function fillInput(tag: string, names: string, fields: Fields): string {
  const name = getAttribute(names, 'name') ?? ''
  const value = fields[name]
  const type = getAttribute(names, 'type') ?? 'text'
  if (type === 'checkbox') {
    const isChecked = value !== undefined && escapeText(value) === getAttribute(names, 'value')
    return `<input${removeAttribute(names, 'checked')}${isChecked ? ' checked' : ''}/>`
  }
  if (value === undefined || !(textTypes.has(type) || hiddenNames.has(name))) return tag
  return `<input${removeAttribute(names, 'value')} value="${escapeText(value)}"/>`
}

function selectOption(list: string, value: string): string {
  return list.replace(options, (_tag: string, names: string) => {
    const isSelected = getAttribute(names, 'value') === escapeText(value)
    return `<option${removeAttribute(names, 'selected')}${isSelected ? ' selected' : ''}>`
  })
}

/** The value of an attribute as it is in the markup. */
function getAttribute(names: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(names)?.[1]
}

function removeAttribute(names: string, name: string): string {
  return names.replace(new RegExp(`\\s${name}(?:="[^"]*")?(?=\\s|$)`), '')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;')
}
