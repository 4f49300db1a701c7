import type { Account } from '../../../domain/account/account.js'
import type { TableRecord } from '../../../domain/bulk/bulk-table.js'
import { buildContactKey, type Contact } from '../../../domain/contact/contact.js'
import { createContactTable } from '../../../domain/contact/contact-table.js'
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import { Beside, Select, TextArea } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { FieldErrors } from '../page/field-errors.js'
import { getField, getQueryField, type PageRequest, type Pages } from '../page/page.js'
import { type BulkContext, type BulkSource, createBulkHandlers } from './bulk-flow.js'
import { type BulkFormInput, createBulkKey, parseBulkForm } from './bulk-form.js'

type Context = BulkContext & Pick<ServerContext, 'contacts' | 'groups' | 'templates'>

const path = '/send/contacts'
const maxContacts = 20_000
const maxChosen = 500
const [all, chosen] = ['all', 'chosen']

interface ContactSendForm extends BulkFormInput {
  /** `all`, `chosen`, or the identifier of a group. */
  readonly to: string
  /** Numbers of the chosen contacts, separated by commas. */
  readonly numbers: string
  /** Identifier of a template for the text; empty after it was inserted. */
  readonly template: string
}

const textHint =
  '{name}, {number} or the name of a field inserts what the contact has; {name|customer} has a ' +
  'text for contacts without it.'

export function createContactSendPages(context: Context): Pages {
  return { [path]: createBulkHandlers(context, createSource(context)) }
}

function createSource(context: Context): BulkSource<ContactSendForm> {
  return {
    path,
    title: 'Send to contacts',
    fieldsTitle: 'Recipients and text',
    rules: { maxRows: maxContacts, emptyText: '`to` has no contact.' },
    sendOnHint: 'Leave it empty to send at once.',
    acceptsFiles: false,
    hasLines: false,
    createForm: createFirstForm,
    parseForm: request => ({
      ...parseBulkForm(request, ''),
      to: getField(request, 'to'),
      numbers: getField(request, 'numbers'),
      template: getField(request, 'template'),
    }),
    loadTable: async (request, form) => await loadTable(request.account, context, form),
    listRecords: ({ table }) => JSON.parse(table) as TableRecord[],
    renderFields: async (request, form, errors) =>
      await renderFields(request, context, form, errors),
  }
}

/** Links name a group, a template, or chosen contacts. */
function createFirstForm(request: PageRequest): ContactSendForm {
  const numbers = new URLSearchParams(request.http.query)
    .getAll('number')
    .slice(0, maxChosen)
    .join(',')
  return {
    ...{ table: '', text: '', sendOn: '', zone: request.account.timeZone ?? '', numbers },
    key: createBulkKey(request.now),
    to: numbers === '' ? getQueryField(request, 'group') : chosen,
    template: getQueryField(request, 'template'),
  }
}

/** The rows of the contacts as JSON, so that the hash of the form changes with them. */
async function loadTable(
  account: Account,
  context: Context,
  form: ContactSendForm,
): Promise<ContactSendForm> {
  const { templates } = context
  const text = form.template === '' ? form.text : (await templates.get(account, form.template)).text
  if (text.trim() === '')
    throw new RelayError('invalid_parameter', '`text` must not be empty without a template.')
  const contacts = await listContacts(account, context, form)
  const { header, toCells } = createContactTable(text, contacts)
  const rows = [header, ...contacts.map(toCells)].map((cells, at) => ({ line: at + 1, cells }))
  return { ...form, text, template: '', table: JSON.stringify(rows) }
}

async function listContacts(
  account: Account,
  { contacts, groups }: Context,
  { to, numbers }: ContactSendForm,
): Promise<Contact[]> {
  if (to === chosen) return await contacts.find(account, numbers.split(',').slice(0, maxChosen))
  if (to === '') throw new RelayError('invalid_parameter', '`to` must be a group.')
  const group = to === all ? undefined : (await groups.get(account, to)).id
  const found: Contact[] = []
  for (let after: string | undefined; found.length <= maxContacts; ) {
    const page = await contacts.getPage(account, { count: limits.contactBatch, after, group })
    for (const contact of page) found.push(contact)
    const last = page.at(-1)
    if (last === undefined || page.length < limits.contactBatch) break
    after = buildContactKey(last)
  }
  return found
}

async function renderFields(
  { account }: PageRequest,
  { groups, templates }: Context,
  form: ContactSendForm,
  errors: FieldErrors | undefined,
): Promise<Html> {
  const choices = {
    groups: (await groups.list(account)).map(toOption),
    templates: (await templates.list(account)).map(toOption),
  }
  return (
    <>
      <input type="hidden" name="numbers" value={form.numbers} />
      <Choices form={form} errors={errors} {...choices} />
      <TextArea
        label="Text"
        name="text"
        value={form.text}
        rows={3}
        hint={textHint}
        error={errors?.text}
      />
    </>
  )
}

type Option = readonly [value: string, label: string]

function toOption({ id, name }: { readonly id: string; readonly name: string }): Option {
  return [id, name]
}

function Choices(props: {
  readonly form: ContactSendForm
  readonly errors: FieldErrors | undefined
  readonly groups: readonly Option[]
  readonly templates: readonly Option[]
}): Html {
  const { form, errors, groups, templates } = props
  const count = form.numbers === '' ? 0 : form.numbers.split(',').length
  const ownChoice: Option[] = count === 0 ? [] : [[chosen, pluralize(count, 'chosen contact')]]
  return (
    <Beside>
      <Select
        label="To"
        name="to"
        value={form.to}
        options={[...ownChoice, ...groups, [all, 'All contacts']]}
        hint="A group, or contacts that were chosen in the list of contacts."
        error={errors?.to}
      />
      <Select
        label="Template"
        name="template"
        value={form.template}
        options={[['', 'None: the text below'], ...templates]}
        hint="A template replaces the text below."
      />
    </Beside>
  )
}
