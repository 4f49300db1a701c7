import { contactCreate } from '../../../contract/contact/contact-schema.js'
import type { Contact } from '../../../domain/contact/contact.js'
import { normalizeFieldName } from '../../../domain/contact/contact-field.js'
import { limits } from '../../../domain/limits.js'
import type { ContactDraft } from '../../services/contacts/contact-import.js'
import { Beside, TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { type FieldErrors, type ParsedForm, parseFields } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'

export interface ContactFormInput {
  readonly number: string
  readonly name: string
  /** Names of groups, separated by commas. */
  readonly groups: string
  /** A field on each line, such as `city: Berlin`; a line that begins with spaces continues it. */
  readonly fields: string
}

export const emptyContactForm: ContactFormInput = { number: '', name: '', groups: '', fields: '' }

export function readContactForm(request: PageRequest): ContactFormInput {
  return {
    number: getField(request, 'number').trim(),
    name: getField(request, 'name').trim(),
    groups: getField(request, 'groups'),
    fields: getField(request, 'fields').replaceAll('\r\n', '\n'),
  }
}

export function toContactForm(
  { number, name, fields = {}, groups = [] }: Contact,
  groupNames: ReadonlyMap<string, string>,
): ContactFormInput {
  return {
    ...{ number, name },
    groups: listGroupNames(groups, groupNames).join(', '),
    fields: Object.entries(fields)
      .map(([key, value]) => `${key}: ${value.replaceAll(/\r\n?|\n/g, `\n${indent}`)}`)
      .join('\n'),
  }
}

/** Begins the further lines of a field. */
const indent = '  '

export function listGroupNames(
  groups: readonly string[],
  groupNames: ReadonlyMap<string, string>,
): string[] {
  return groups.map(id => groupNames.get(id)).filter(name => name !== undefined)
}

export function parseContactForm(form: ContactFormInput): ParsedForm<ContactDraft> {
  const fields = splitFields(form.fields)
  const error = describeFieldsError(fields)
  const { number, name, groups } = form
  const parsed = parseFields(contactCreate, {
    ...(number === '' ? {} : { number }),
    ...{ name, groups, fields: (error === undefined ? Object.fromEntries(fields) : {}) as never },
  })
  if (error === undefined) return parsed
  return { errors: { ...('errors' in parsed ? parsed.errors : {}), fields: error } }
}

type SplitField = readonly [name: string, value: string | undefined]

/** What is wrong with the lines of the fields; undefined if the names can be read. */
function describeFieldsError(fields: readonly SplitField[]): string | undefined {
  const wrong = fields.find(([, value]) => value === undefined)
  if (wrong !== undefined) return `"${wrong[0]}" needs a colon after the name of the field.`
  const names = fields.map(([name]) => normalizeFieldName(name))
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  return repeated === undefined ? undefined : `The field ${repeated} is there twice.`
}

/** The names and values of fields; the value of a line without a colon is undefined. */
function splitFields(text: string): SplitField[] {
  const texts: string[] = []
  for (const line of text.split('\n').filter(each => each !== '')) {
    const last = /^\s/.test(line) ? texts.pop() : undefined
    texts.push(last === undefined ? line : `${last}\n${line.replace(/^(?: {1,2}|\t)/, '')}`)
  }
  return texts
    .filter(each => each.trim() !== '')
    .map(each => {
      const at = each.indexOf(':')
      if (at === -1) return [each.trim(), undefined]
      return [each.slice(0, at).trim(), each.slice(at + 1).trim()]
    })
}

const fieldsHint =
  'One per line, such as “city: Berlin”; templates insert it as {city}. ' +
  'A line that begins with a space continues the field above. ' +
  `At most ${limits.contactFields}.`

export function ContactFields(props: {
  readonly form: ContactFormInput
  readonly errors: FieldErrors | undefined
}): Html {
  const { form, errors } = props
  return (
    <>
      <Beside>
        <TextField label="Name" name="name" value={form.name} error={errors?.name} />
        <TextField
          label="Number"
          name="number"
          type="tel"
          value={form.number}
          required
          hint="In international form, such as +12025550123."
          error={errors?.number}
        />
      </Beside>
      <Beside>
        <TextField
          label="Groups"
          name="groups"
          value={form.groups}
          hint="Names, separated by commas. A group that does not exist is created."
          error={errors?.groups}
        />
        <TextArea
          label="Fields"
          name="fields"
          value={form.fields}
          rows={3}
          hint={fieldsHint}
          error={errors?.fields}
        />
      </Beside>
    </>
  )
}
