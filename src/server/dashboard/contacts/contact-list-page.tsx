// Contacts, their groups, and templates.
// - contact-list-page: finds, adds and chooses contacts; contact-page: one contact
// - contact-file-page: import and export as CSV
// - group-pages: the groups; template-pages: the templates
// - contact-form: the fields of a contact, and how they are read
//
// `bulk/contact-send-page` sends a text to a group or to chosen contacts.
import { buildContactKey, type Contact, normalizeSearch } from '../../../domain/contact/contact.js'
import { limits } from '../../../domain/limits.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, Empty } from '../components/card.js'
import { Actions, Button, ButtonLink, Form, FormLink } from '../components/form.js'
import { SearchField, Select } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import {
  ContactFields,
  type ContactFormInput,
  emptyContactForm,
  listGroupNames,
  parseContactForm,
  readContactForm,
} from './contact-form.js'
import { contactsPath, getContactPath, groupsPath } from './contact-paths.js'

type Context = Pick<ServerContext, 'contacts' | 'groups'>

const pageSize = 100

export function createContactListPages(context: Context): Pages {
  return {
    [contactsPath]: {
      GET: async request => {
        const number = getQueryField(request, 'number').slice(0, limits.destination)
        return await showListPage(request, context, { ...emptyContactForm, number })
      },
      POST: async request => await addContact(request, context),
    },
  }
}

async function addContact(request: PageRequest, context: Context): Promise<PageResult> {
  const form = readContactForm(request)
  const draft = parseContactForm(form)
  if ('errors' in draft) return await showListPage(request, context, form, draft.errors)
  try {
    const { number, name } = await context.contacts.add(request.account, draft.data)
    return redirectWithSuccess(contactsPath, `${name || number} is added.`)
  } catch (error) {
    return await showListPage(request, context, form, toFieldErrors(error))
  }
}

interface ListState {
  readonly words: string
  readonly group: string
  /** The page's key before its first contact, as in its address; empty for the first page. */
  readonly after: string
  readonly found: readonly Contact[]
  readonly groupNames: ReadonlyMap<string, string>
}

async function loadList(request: PageRequest, { contacts, groups }: Context): Promise<ListState> {
  const words = getQueryField(request, 'q').trim().slice(0, limits.contactName)
  const group = getQueryField(request, 'group')
  const after = getQueryField(request, 'after')
  const groupList = await groups.list(request.account)
  const found = await contacts.getPage(request.account, {
    count: pageSize + 1,
    after: Buffer.from(after, 'base64url').toString(),
    words: normalizeSearch(words),
    group: group === '' ? undefined : group,
  })
  const groupNames = new Map(groupList.map(({ id, name }) => [id, name]))
  return { words, group, after, found, groupNames }
}

async function showListPage(
  request: PageRequest,
  context: Context,
  form: ContactFormInput,
  errors?: FieldErrors,
): Promise<PageResult> {
  const state = await loadList(request, context)
  // PostgreSQL counts all contacts, so only if the page has none.
  const isEmpty = state.found.length === 0 && (await context.contacts.count(request.account)) === 0
  const body = (
    <>
      <Card label="Contacts">
        <Filters state={state} />
        <ContactTable state={state} isEmpty={isEmpty} />
        <ListPagination state={state} />
      </Card>
      <Card title="Add a contact">
        <Form action={contactsPath} csrf={request.csrf} label="Add a contact" errors={errors}>
          <ContactFields form={form} errors={errors} />
          <Actions>
            <Button label="Add the contact" />
          </Actions>
        </Form>
      </Card>
    </>
  )
  const lead = 'Conversations and messages show the names of contacts.'
  const status = errors === undefined ? 200 : 400
  const actions = <ListActions />
  return showPage({ title: 'Contacts', current: contactsPath, lead, actions, body, status })
}

function ListActions(): Html {
  return (
    <>
      <FormLink id="add-a-contact" label="Add a contact" />
      <ButtonLink href={groupsPath} label="Groups" icon="people" />
      <ButtonLink href={`${contactsPath}/import`} label="Import" icon="table" />
      <a class="btn" href={`${contactsPath}/export`} download="contacts.csv">
        <Icon name="download" />
        Export as CSV
      </a>
    </>
  )
}

function Filters({ state }: { readonly state: ListState }): Html {
  const { words, group, groupNames } = state
  return (
    <form method="get" action={contactsPath} class="filters" aria-label="Search the contacts">
      <SearchField
        text="Name or number"
        label="Name or number"
        words={words}
        maxLength={limits.contactName}
      />
      {groupNames.size > 0 && (
        <Select
          label="Group"
          name="group"
          value={group}
          options={[['', 'All contacts'], ...groupNames]}
        />
      )}
      <Button label="Search" variant="secondary" />
    </form>
  )
}

/** The boxes belong to a form that chooses the recipients of a text. */
function ContactTable({ state, isEmpty }: { state: ListState; isEmpty: boolean }): Html {
  const { found, groupNames } = state
  return (
    <>
      <Table
        caption="Contacts"
        head={['Name', 'Number', 'Groups', 'Fields']}
        rows={found
          .slice(0, pageSize)
          .map(contact => [
            <NameCell contact={contact} />,
            <span class="num">{contact.number}</span>,
            listGroupNames(contact.groups ?? [], groupNames).join(', '),
            <span class="text">{formatFields(contact)}</span>,
          ])}
        empty={
          <Empty icon="book" title={isEmpty ? 'No contacts yet' : 'No contact matches'}>
            {isEmpty
              ? 'Contacts are added one by one, or imported from a CSV file.'
              : 'Search for another name or number.'}
          </Empty>
        }
      />
      {found.length > 0 && (
        <form method="get" action="/send/contacts" id="chosen" class="body">
          <Actions>
            <Button label="Text the chosen contacts" variant="secondary" icon="send" />
          </Actions>
        </form>
      )}
    </>
  )
}

function NameCell({ contact }: { readonly contact: Contact }): Html {
  const { number, name } = contact
  return (
    <span class="tick">
      <label class="box">
        <input
          type="checkbox"
          name="number"
          value={number}
          form="chosen"
          aria-label={`Choose ${name || number}`}
        />
      </label>
      <a href={getContactPath(number)}>
        <bdi>{name || 'Without a name'}</bdi>
      </a>
    </span>
  )
}

function formatFields({ fields = {} }: Contact): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}

/** In base64url: a name can have any character. */
function formatPageKey(contact: Contact): string {
  return Buffer.from(buildContactKey(contact)).toString('base64url')
}

function ListPagination({ state }: { readonly state: ListState }): Html {
  const { words, group, after, found } = state
  const last = found.length > pageSize ? found[pageSize - 1] : undefined
  const query = { q: words, group }
  return (
    <Pagination
      label="Pages of contacts"
      path={contactsPath}
      previous={after === '' ? undefined : query}
      previousLabel="First page"
      next={last && { ...query, after: formatPageKey(last) }}
    />
  )
}
