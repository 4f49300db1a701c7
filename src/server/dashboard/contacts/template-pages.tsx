import { templateCreate } from '../../../contract/contact/template-schema.js'
import { includesRole } from '../../../domain/account/person.js'
import type { MessageTemplate } from '../../../domain/contact/contact.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { TemplateDraft } from '../../services/contacts/template-service.js'
import { Card, CardBody, Empty } from '../components/card.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Actions, Button, ButtonLink, Form, FormLink } from '../components/form.js'
import { TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, createPageQueries, Pagination, parseStart } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { checkVersion, createVersion } from '../forms/edit-conflict.js'
import { createDeleteHandler, EditCard, submitEdit } from '../forms/edit-frame.js'
import { type FieldErrors, parseFields, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { templatesPath } from './contact-paths.js'
import { TemplatePreview } from './template-preview.js'

type Context = Pick<ServerContext, 'templates' | 'contacts'>

const emptyDraft: TemplateDraft = { name: '', text: '' }
const previewed = 5

const pageSize = 100

export function createTemplatePages(context: Context): Pages {
  const { templates } = context
  return {
    [templatesPath]: {
      GET: async request => await showListPage(request, context, emptyDraft),
      POST: async request => await createTemplate(request, context),
    },
    [`${templatesPath}/:id`]: {
      GET: async request => await showStored(request, context),
      POST: async request => await editTemplate(request, context),
    },
    [`${templatesPath}/:id/delete`]: {
      POST: createDeleteHandler(
        templatesPath,
        { done: 'The template is deleted.', gone: 'There is no such template any more.' },
        async ({ account, http }) => await templates.remove(account, getParam(http, 'id')),
      ),
    },
  }
}

function readForm(request: PageRequest): TemplateDraft {
  return {
    name: getField(request, 'name').trim(),
    text: getField(request, 'text').replaceAll('\r\n', '\n'),
  }
}

async function createTemplate(request: PageRequest, context: Context): Promise<PageResult> {
  const form = readForm(request)
  const parsed = parseFields(templateCreate, { ...form })
  if ('errors' in parsed) return await showListPage(request, context, form, parsed.errors)
  try {
    const { id } = await context.templates.create(request.account, parsed.data)
    return redirectWithSuccess(getPath(id), 'The template is created.')
  } catch (error) {
    return await showListPage(request, context, form, toFieldErrors(error))
  }
}

function getPath(id: string): string {
  return `${templatesPath}/${encodeURIComponent(id)}`
}

function getVersion({ name, text }: MessageTemplate): string {
  return createVersion([name, text])
}

async function editTemplate(request: PageRequest, context: Context): Promise<PageResult> {
  const { account } = request
  const current = await context.templates.get(account, getParam(request.http, 'id'))
  const form = readForm(request)
  return await submitEdit(request, parseFields(templateCreate, { ...form }), {
    save: async draft => {
      const check = (template: MessageTemplate) => checkVersion(request, getVersion(template))
      await context.templates.edit(account, current.id, draft, check)
      return redirectWithSuccess(getPath(current.id), 'The template is saved.')
    },
    showForm: async errors => await showTemplate(request, context, current, form, errors),
    showCurrent: async fresh => await showStored(fresh, context),
    reason: 'The template has been changed in the meantime.',
  })
}

async function showStored(request: PageRequest, context: Context): Promise<PageResult> {
  const template = await context.templates.get(request.account, getParam(request.http, 'id'))
  return await showTemplate(request, context, template, template)
}

async function showListPage(
  request: PageRequest,
  { templates }: Context,
  form: TemplateDraft,
  errors?: FieldErrors,
): Promise<PageResult> {
  const list = await templates.list(request.account)
  const start = parseStart(getQueryField(request, 'start'))
  const body = (
    <>
      <Card label="Templates">
        <TemplateTable list={list.slice(start, start + pageSize)} csrf={request.csrf} />
        <Pagination
          label="Pages of templates"
          path={templatesPath}
          {...createPageQueries({ start, pageSize, total: list.length })}
        />
      </Card>
      <Card title="New template">
        <Form action={templatesPath} csrf={request.csrf} label="New template" errors={errors}>
          <TemplateFields form={form} errors={errors} />
          <Actions>
            <Button label="Create the template" />
          </Actions>
        </Form>
      </Card>
    </>
  )
  const lead =
    'A template is a text with fields, such as {name}, which are filled for each contact.'
  const status = errors === undefined ? 200 : 400
  const actions = <FormLink id="new-template" label="New template" />
  return showPage({ title: 'Templates', current: templatesPath, lead, actions, body, status })
}

function TemplateTable(props: { list: readonly MessageTemplate[]; csrf: string }): Html {
  return (
    <Table
      caption="Templates"
      head={['Name', 'Text', <ActionsHeader />]}
      rows={props.list.map(({ id, name, text }) => [
        <a href={getPath(id)}>{name}</a>,
        <span class="text">{text}</span>,
        <Actions>
          <SendLink id={id} name={name} />
          <ConfirmButton
            action={`${getPath(id)}/delete`}
            csrf={props.csrf}
            label="Delete"
            target={name}
          />
        </Actions>,
      ])}
      empty={
        <Empty icon="page" title="No templates yet">
          A template is written once and sent to many contacts.
        </Empty>
      }
    />
  )
}

function SendLink({ id, name }: { readonly id: string; readonly name: string }): Html {
  return (
    <ButtonLink
      href={buildLink('/send/contacts', { template: id })}
      label="Send"
      title={`Send ${name}`}
      icon="send"
    />
  )
}

function TemplateFields(props: { form: TemplateDraft; errors: FieldErrors | undefined }): Html {
  const { form, errors } = props
  return (
    <>
      <TextField label="Name" name="name" value={form.name} required error={errors?.name} />
      <TextArea
        label="Text"
        name="text"
        value={form.text}
        required
        hint={
          '{name}, {number} or the name of a field inserts what the contact has; ' +
          '{name|customer} has a text for contacts without it.'
        }
        error={errors?.text}
      />
    </>
  )
}

async function showTemplate(
  request: PageRequest,
  context: Context,
  template: MessageTemplate,
  form: TemplateDraft,
  errors?: FieldErrors,
): Promise<PageResult> {
  const contacts = await context.contacts.getPage(request.account, { count: previewed })
  const { name, id } = template
  const body = (
    <>
      {includesRole(request.caller.role, 'sender') ? (
        <EditCard
          {...{ request, errors, label: 'Template', path: getPath(id) }}
          version={getVersion(template)}
          back={{ path: templatesPath, label: 'Back to the templates' }}
        >
          <TemplateFields form={form} errors={errors} />
        </EditCard>
      ) : (
        <Card title="Text">
          <CardBody>
            <p class="text">{template.text}</p>
          </CardBody>
        </Card>
      )}
      <TemplatePreview text={template.text} contacts={contacts} />
    </>
  )
  const actions = <SendLink id={id} name={name} />
  const status = errors === undefined ? 200 : 400
  const parent = { path: templatesPath, label: 'Templates' }
  return showPage({ title: name, current: templatesPath, parent, actions, body, status })
}
