import { groupName } from '../../../contract/contact/contact-schema.js'
import type { ContactGroup } from '../../../domain/contact/contact.js'
import { pluralize } from '../../../util/text/plural.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, Empty } from '../components/card.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Actions, Button, ButtonLink, Form, FormLink } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, createPageQueries, Pagination, parseStart } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { checkVersion, createVersion } from '../forms/edit-conflict.js'
import { createDeleteHandler, EditCard, submitEdit } from '../forms/edit-frame.js'
import { type FieldErrors, type ParsedForm, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { contactsPath, groupsPath } from './contact-paths.js'

type Context = Pick<ServerContext, 'groups'>

const parent = { path: contactsPath, label: 'Contacts' }

const pageSize = 100

export function createGroupPages({ groups }: Context): Pages {
  return {
    [groupsPath]: {
      GET: async request => await showListPage(request, { groups }),
      POST: async request => await createGroup(request, { groups }),
    },
    [`${groupsPath}/:id`]: {
      GET: async request => await showStored(request, { groups }),
      POST: async request => await renameGroup(request, { groups }),
    },
    [`${groupsPath}/:id/delete`]: {
      POST: createDeleteHandler(
        groupsPath,
        {
          done: 'The group is deleted. Its members are still contacts.',
          gone: 'There is no such group any more.',
        },
        async ({ account, http }) => await groups.remove(account, getParam(http, 'id')),
      ),
    },
  }
}

function getPath(id: string): string {
  return `${groupsPath}/${encodeURIComponent(id)}`
}

function parseName(request: PageRequest): ParsedForm<string> {
  const { data, error } = groupName.safeParse(getField(request, 'name').trim())
  if (data !== undefined) return { data }
  return { errors: { name: `The name ${error?.issues[0]?.message ?? 'is invalid'}.` } }
}

async function createGroup(request: PageRequest, { groups }: Context): Promise<PageResult> {
  const parsed = parseName(request)
  if ('errors' in parsed) return await showListPage(request, { groups }, parsed.errors)
  try {
    const { name } = await groups.create(request.account, parsed.data)
    return redirectWithSuccess(groupsPath, `The group ${name} is created.`)
  } catch (error) {
    return await showListPage(request, { groups }, toFieldErrors(error))
  }
}

function getVersion({ name }: ContactGroup): string {
  return createVersion([name])
}

async function renameGroup(request: PageRequest, { groups }: Context): Promise<PageResult> {
  const { account } = request
  const current = await groups.get(account, getParam(request.http, 'id'))
  const typed = getField(request, 'name').trim()
  return await submitEdit(request, parseName(request), {
    save: async name => {
      const check = (group: ContactGroup) => checkVersion(request, getVersion(group))
      await groups.rename(account, current.id, name, check)
      return redirectWithSuccess(groupsPath, 'The group is renamed.')
    },
    showForm: errors => showGroup(request, current, typed, errors),
    showCurrent: async fresh => await showStored(fresh, { groups }),
    reason: 'The group has been renamed in the meantime.',
  })
}

async function showStored(request: PageRequest, { groups }: Context): Promise<PageResult> {
  const group = await groups.get(request.account, getParam(request.http, 'id'))
  return showGroup(request, group, group.name)
}

async function showListPage(
  request: PageRequest,
  { groups }: Context,
  errors?: FieldErrors,
): Promise<PageResult> {
  const [list, members] = await Promise.all([
    groups.list(request.account),
    groups.countMembers(request.account),
  ])
  const start = parseStart(getQueryField(request, 'start'))
  const body = (
    <>
      <Card label="Groups">
        <GroupTable
          list={list.slice(start, start + pageSize)}
          members={members}
          csrf={request.csrf}
        />
        <Pagination
          label="Pages of groups"
          path={groupsPath}
          {...createPageQueries({ start, pageSize, total: list.length })}
        />
      </Card>
      <Card title="New group">
        <Form action={groupsPath} csrf={request.csrf} label="New group">
          <NameField name={getField(request, 'name')} errors={errors} />
          <Actions>
            <Button label="Create the group" />
          </Actions>
        </Form>
      </Card>
    </>
  )
  const lead = 'A text can be sent to all contacts of a group.'
  const status = errors === undefined ? 200 : 400
  const actions = <FormLink id="new-group" label="New group" />
  return showPage({ title: 'Groups', current: contactsPath, parent, lead, actions, body, status })
}

function NameField(props: { name: string; errors: FieldErrors | undefined }): Html {
  const { name, errors } = props
  return (
    <TextField
      label="Name"
      name="name"
      value={name}
      required
      error={errors?.name ?? errors?.['']}
    />
  )
}

function GroupTable(props: {
  readonly list: readonly ContactGroup[]
  readonly members: ReadonlyMap<string, number>
  readonly csrf: string
}): Html {
  const { list, members, csrf } = props
  return (
    <Table
      caption="Groups"
      head={['Name', 'Members', <ActionsHeader />]}
      rows={list.map(({ id, name }) => [
        <a href={buildLink(contactsPath, { group: id })}>{name}</a>,
        pluralize(members.get(id) ?? 0, 'contact'),
        <Actions>
          <ButtonLink href={getPath(id)} label="Rename" title={`Rename ${name}`} />
          <ButtonLink
            href={buildLink('/send/contacts', { group: id })}
            label="Send a text"
            title={`Send a text to ${name}`}
          />
          <ConfirmButton
            action={`${getPath(id)}/delete`}
            csrf={csrf}
            label="Delete"
            target={name}
          />
        </Actions>,
      ])}
      empty={
        <Empty icon="people" title="No groups yet">
          A group is created by its name, with a contact, or by a file with a column “groups”.
        </Empty>
      }
    />
  )
}

function showGroup(
  request: PageRequest,
  group: ContactGroup,
  name: string,
  errors?: FieldErrors,
): PageResult {
  const body = (
    <EditCard
      request={request}
      label="Rename the group"
      path={getPath(group.id)}
      version={getVersion(group)}
      button="Rename"
      back={{ path: groupsPath, label: 'Back to the groups' }}
    >
      <NameField name={name} errors={errors} />
    </EditCard>
  )
  const actions = (
    <ButtonLink href={buildLink(contactsPath, { group: group.id })} label="Members" icon="people" />
  )
  const status = errors === undefined ? 200 : 400
  const above = { path: groupsPath, label: 'Groups' }
  const page = { title: group.name, current: contactsPath, parent: above }
  return showPage({ ...page, actions, body, status })
}
