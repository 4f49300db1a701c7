import { includesRole } from '../../../domain/account/person.js'
import type { Contact } from '../../../domain/contact/contact.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, CardBody } from '../components/card.js'
import { ConfirmButton } from '../components/confirm-button.js'
import { ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Facts } from '../components/table.js'
import { checkVersion, createVersion } from '../forms/edit-conflict.js'
import { createDeleteHandler, EditCard, submitEdit } from '../forms/edit-frame.js'
import { getConversationPath } from '../messages/message-path.js'
import type { FieldErrors } from '../page/field-errors.js'
import {
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import {
  ContactFields,
  type ContactFormInput,
  parseContactForm,
  readContactForm,
  toContactForm,
} from './contact-form.js'
import { contactsPath, getContactPath } from './contact-paths.js'

type Context = Pick<ServerContext, 'contacts' | 'groups'>

export function createContactPages(context: Context): Pages {
  return {
    [`${contactsPath}/:number`]: {
      GET: async request => await showStored(request, context),
      POST: async request => await editContact(request, context),
    },
    [`${contactsPath}/:number/delete`]: {
      POST: createDeleteHandler(
        contactsPath,
        {
          done: 'The contact is deleted. Its messages stay.',
          gone: 'There is no such contact any more.',
        },
        async request => await context.contacts.remove(request.account, getNumber(request)),
      ),
    },
  }
}

function getNumber({ http }: PageRequest): string {
  return getParam(http, 'number')
}

async function toForm(
  { account }: PageRequest,
  { groups }: Context,
  contact: Contact,
): Promise<ContactFormInput> {
  const list = await groups.list(account)
  return toContactForm(contact, new Map(list.map(({ id, name }) => [id, name])))
}

function getVersion({ number, name, fields = {}, groups = [] }: Contact): string {
  return createVersion([number, name, fields, groups])
}

async function editContact(request: PageRequest, context: Context): Promise<PageResult> {
  const current = await context.contacts.get(request.account, getNumber(request))
  const form = readContactForm(request)
  return await submitEdit(request, parseContactForm(form), {
    save: async draft => {
      const check = (contact: Contact) => checkVersion(request, getVersion(contact))
      const saved = await context.contacts.edit(request.account, current.number, draft, check)
      return redirectWithSuccess(getContactPath(saved.number), 'The contact is saved.')
    },
    showForm: errors => showContact(request, current, form, errors),
    showCurrent: async fresh => await showStored(fresh, context),
    reason: 'The contact has been changed in the meantime.',
  })
}

async function showStored(request: PageRequest, context: Context): Promise<PageResult> {
  const contact = await context.contacts.get(request.account, getNumber(request))
  return showContact(request, contact, await toForm(request, context, contact))
}

function showContact(
  request: PageRequest,
  contact: Contact,
  form: ContactFormInput,
  errors?: FieldErrors,
): PageResult {
  const { number, name } = contact
  const canChange = includesRole(request.caller.role, 'sender')
  const body = canChange ? (
    <ContactForms {...{ request, contact, form, errors }} />
  ) : (
    <Card label="Contact">
      <CardBody>
        <Facts
          items={[
            ['Name', name],
            ['Number', number],
            ['Groups', form.groups],
            ...Object.entries(contact.fields ?? {}),
          ]}
        />
      </CardBody>
    </Card>
  )
  const actions = <ButtonLink href={getConversationPath(number)} label="Conversation" icon="talk" />
  const status = errors === undefined ? 200 : 400
  const parent = { path: contactsPath, label: 'Contacts' }
  return showPage({ title: name || number, current: contactsPath, parent, actions, body, status })
}

function ContactForms(props: {
  readonly request: PageRequest
  readonly contact: Contact
  readonly form: ContactFormInput
  readonly errors: FieldErrors | undefined
}): Html {
  const { request, contact, form, errors } = props
  const { number, name } = contact
  const path = getContactPath(number)
  return (
    <>
      <EditCard
        request={request}
        errors={errors}
        label="Contact"
        path={path}
        version={getVersion(contact)}
        back={{ path: contactsPath, label: 'Back to the contacts' }}
      >
        <ContactFields form={form} errors={errors} />
      </EditCard>
      <Card title="Delete the contact">
        <CardBody>
          <p>Its messages and received texts stay, and show the number again.</p>
          <ConfirmButton
            action={`${path}/delete`}
            csrf={request.csrf}
            label="Delete"
            target={name || number}
          />
        </CardBody>
      </Card>
    </>
  )
}
