import { contactCreate } from '../../../contract/contact/contact-schema.js'
import type { Contact } from '../../../domain/contact/contact.js'
import { limits } from '../../../domain/limits.js'
import type { ContactDraft } from '../../services/contacts/contact-import.js'
import { Beside, TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { type FieldErrors, type ParsedForm, parseFields } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'

/** The texts of a contact's form. */
export interface ContactFormInput {
  readonly number: string
  readonly name: string
  /** Names of groups, separated by commas. */
  readonly groups: string
  /** A field on each line, such as `city: Berlin`. */
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

/** @param groupNames names of groups by identifier */
export function toContactForm(
  { number, name, fields = {}, groups = [] }: Contact,
  groupNames: ReadonlyMap<string, string>,
): ContactFormInput {
  return {
    ...{ number, name },
    groups: listGroupNames(groups, groupNames).join(', '),
    fields: Object.entries(fields)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n'),
  }
}

/** The names of those groups that are not deleted. */
export function listGroupNames(
  groups: readonly string[],
  groupNames: ReadonlyMap<string, string>,
): string[] {
  return groups.map(id => groupNames.get(id)).filter(name => name !== undefined)
}

export function parseContactForm(form: ContactFormInput): ParsedForm<ContactDraft> {
  const lines = form.fields.split('\n').filter(line => line.trim() !== '')
  const wrong = lines.find(line => !line.includes(':'))
  if (wrong !== undefined) {
    return { errors: { fields: `"${wrong.trim()}" needs a colon after the name of the field.` } }
  }
  const fields = lines.map(line => {
    const at = line.indexOf(':')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const
  })
  const { number, name, groups } = form
  return parseFields(contactCreate, {
    ...(number === '' ? {} : { number }),
    ...{ name, groups, fields: Object.fromEntries(fields) as never },
  })
}

const fieldsHint =
  'One a line, such as "city: Berlin"; templates insert it as {city}. ' +
  `At most ${limits.contactFields}.`

export function ContactFields(props: {
  readonly form: ContactFormInput
  readonly errors: FieldErrors | undefined
}): Html {
  const { form, errors } = props
  return (
    <>
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
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
