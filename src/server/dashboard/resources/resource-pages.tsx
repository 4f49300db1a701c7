import { getSchemas } from '../../../contract/schema/resource-schema.js'
import { includesRole } from '../../../domain/account/person.js'
import {
  capitalize,
  type DraftOf,
  type Field,
  type InputField,
  isNamed,
  isRequired,
  listInputs,
  listValues,
  type RecordOf,
  type Resource,
} from '../../../resources/resource.js'
import { resourceNames, resources } from '../../../resources/resources.js'
import { getParam } from '../../http/route.js'
import type { Created, ResourceService, ResourceServices } from '../../services/resource-service.js'
import { Card, CardBody, Empty } from '../components/card.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Actions, Button, Form, FormLink } from '../components/form.js'
import { Beside, type FieldProps, Select, TextArea, TextField } from '../components/form-fields.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import {
  createKeyedPage,
  createPageQueries,
  Pagination,
  parseStart,
  readPageKey,
} from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { checkVersion, createVersion } from '../forms/edit-conflict.js'
import { createDeleteHandler, EditCard, submitEdit } from '../forms/edit-frame.js'
import { normalizeLineBreaks } from '../messages/message-form.js'
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

const pageSize = 100

/** A record with what its service says of it. */
export interface Shown<R extends Resource> {
  readonly record: RecordOf<R>
  readonly said: Readonly<Record<string, unknown>>
}

/** What the pages of one resource have in place of what the declaration gives. */
export interface PageSlots<R extends Resource> {
  readonly cells?: Readonly<Record<string, (shown: Shown<R>) => Child>>
  /** What a record without a name is called. */
  readonly nameOf?: (shown: Shown<R>) => string
  readonly rowActions?: (record: RecordOf<R>) => Html
  readonly pageActions?: (record: RecordOf<R>) => Html
  /** Above the list. */
  readonly notice?: () => Child
  /** Below the form of a record; without it, the form leads back to the list. */
  readonly details?: (request: PageRequest, record: RecordOf<R>) => Promise<Html>
  /** In place of the list, after a record was created. */
  readonly created?: (created: Created<R>) => PageResult
}

type Values = Readonly<Record<string, unknown>>

/** The pages of all resources, also of those whose own file has slots. */
export function createAllResourcePages(services: ResourceServices): Pages {
  const all = resourceNames.map(name =>
    createResourcePages<Resource>(resources[name], services[resources[name].plural] as never),
  )
  return Object.assign({}, ...all)
}

/** The pages of a resource: a list with a form, and a page for each record if it can be changed. */
export function createResourcePages<R extends Resource>(
  resource: R,
  service: ResourceService<R>,
  slots: PageSlots<R> = {},
): Pages {
  const { name, plural, page, operations, fields, role } = resource
  const { cells = {}, rowActions, nameOf = ({ record }) => (record as Values).name } = slots
  const inputs = listInputs(resource)
  const schema = getSchemas(resource).create
  const getPath = (id: string) => `${page.path}/${encodeURIComponent(id)}`
  const getNextPath = (id: string) => (slots.details === undefined ? page.path : getPath(id))
  const getVersion = (record: RecordOf<R>) => createVersion(listValues(resource, record))
  const getRecord = async ({ account, http }: PageRequest) =>
    await service.get(account, getParam(http, 'id'))

  async function create(request: PageRequest): Promise<PageResult> {
    const parsed = parseFields(schema, readForm(resource, request))
    if ('errors' in parsed) return await showList(request, parsed.errors)
    try {
      const created = await service.create(request.account, parsed.data)
      if (slots.created !== undefined) return slots.created(created)
      const text = `The ${name} ${(created.record as Values).name} is created.`
      return redirectWithSuccess(getNextPath(created.record.id), text)
    } catch (error) {
      return await showList(request, toFieldErrors(error))
    }
  }

  async function edit(request: PageRequest): Promise<PageResult> {
    const current = await getRecord(request)
    const form = readForm(resource, request)
    return await submitEdit<DraftOf<R>>(request, parseFields(schema, form), {
      save: async draft => {
        const check = (record: RecordOf<R>) => checkVersion(request, getVersion(record))
        const changes = { ...listOptional(resource), ...draft }
        await service.edit(request.account, current.id, changes, check)
        const text = `The ${name} is ${page.edit?.done ?? 'saved'}.`
        return redirectWithSuccess(getNextPath(current.id), text)
      },
      showForm: async errors => await showRecord(request, current, form, errors),
      showCurrent: showStored,
      reason: `The ${name} has been ${page.edit?.done ?? 'changed'} in the meantime.`,
    })
  }

  async function showStored(request: PageRequest): Promise<PageResult> {
    const record = await getRecord(request)
    const values = inputs.map(({ name, stored }) => [name, (record as Values)[stored]])
    return await showRecord(request, record, Object.fromEntries(values))
  }

  async function showList(request: PageRequest, errors?: FieldErrors): Promise<PageResult> {
    const { items, ...links } = await readPage(request)
    const describe = await service.describe(request.account)
    const shown = items.map(record => ({ record, said: describe({ record }) }))
    const label = `New ${name}`
    const body = (
      <>
        {slots.notice?.()}
        <Card label={capitalize(plural)}>
          {createTable(shown, request.csrf)}
          <Pagination label={`Pages of ${plural}`} path={page.path} {...links} />
        </Card>
        <Card title={label}>
          <Form action={page.path} csrf={request.csrf} label={label} errors={errors}>
            <FormFields resource={resource} values={request.fields} errors={errors} />
            <Actions>
              <Button label={`Create the ${name}`} />
            </Actions>
          </Form>
        </Card>
      </>
    )
    const { title, lead, parent } = page
    return showPage({
      ...{ title, lead, body, parent, current: parent?.path ?? page.path, ...getStatus(errors) },
      actions: <FormLink id={`new-${name}`} label={label} />,
    })
  }

  /** Lists that are in order of names are read as a whole. */
  async function readPage(request: PageRequest) {
    if (isNamed(resource)) {
      const all = await service.list(request.account)
      const start = parseStart(getQueryField(request, 'start'))
      const items = all.slice(start, start + pageSize)
      return { items, ...createPageQueries({ start, pageSize, total: all.length }) }
    }
    const after = readPageKey(getQueryField(request, 'after'))
    const found = await service.getPage(request.account, { count: pageSize + 1, after })
    return { ...createKeyedPage(found, { after, pageSize }), previousLabel: 'First page' }
  }

  function createTable(all: readonly Shown<R>[], csrf: string): Html {
    return (
      <Table
        caption={capitalize(plural)}
        head={[...page.columns.map(each => getLabel(each, fields[each])), <ActionsHeader />]}
        rows={all.map(shown => {
          const path = `${getPath(shown.record.id)}/delete`
          const target = String(nameOf(shown))
          const button = <ConfirmButton {...{ action: path, csrf, label: 'Delete', target }} />
          return [
            ...page.columns.map(each => cells[each]?.(shown) ?? createCell(each, shown)),
            rowActions === undefined ? (
              button
            ) : (
              <Actions>
                {rowActions(shown.record)}
                {button}
              </Actions>
            ),
          ]
        })}
        empty={
          <Empty icon={page.icon as IconName} title={page.emptyTitle}>
            {page.empty}
          </Empty>
        }
      />
    )
  }

  function createCell(column: string, { record, said }: Shown<R>): Child {
    const field = fields[column]
    if (field?.kind === 'created') return <Time at={record.createdAt} />
    const stored = inputs.find(each => each.name === column)?.stored ?? column
    const value = (record as Values)[stored] ?? said[column] ?? ''
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    if (column === 'name' && operations.includes('edit'))
      return <a href={getPath(record.id)}>{text}</a>
    return field?.kind === 'text' && field.isLong ? <span class="text">{text}</span> : text
  }

  async function showRecord(
    request: PageRequest,
    record: RecordOf<R>,
    values: Values,
    errors?: FieldErrors,
  ): Promise<PageResult> {
    const label = page.edit?.label ?? capitalize(name)
    const back = { path: page.path, label: `Back to the ${plural}` }
    const body = (
      <>
        {includesRole(request.caller.role, role) ? (
          <EditCard
            {...{ request, errors, label, back, path: getPath(record.id) }}
            version={getVersion(record)}
            button={page.edit?.button ?? 'Save'}
          >
            <FormFields {...{ resource, values, errors }} />
          </EditCard>
        ) : (
          inputs.map(({ name: key, field }) => (
            <Card title={getLabel(key, field)}>
              <CardBody>
                <p class="text">{String(values[key] ?? '')}</p>
              </CardBody>
            </Card>
          ))
        )}
        {await slots.details?.(request, record)}
      </>
    )
    return showPage({
      ...{ title: String(nameOf({ record, said: {} })), body, ...getStatus(errors) },
      current: page.parent?.path ?? page.path,
      parent: { path: page.path, label: page.title },
      actions: slots.pageActions?.(record),
    })
  }

  return {
    [page.path]: { GET: async request => await showList(request), POST: create },
    ...(operations.includes('edit') && {
      [`${page.path}/:id`]: { GET: showStored, POST: edit },
    }),
    [`${page.path}/:id/delete`]: {
      POST: createDeleteHandler(
        page.path,
        { done: page.deleted, gone: `There is no such ${name} any more.` },
        async ({ account, http }) => await service.remove(account, getParam(http, 'id')),
      ),
    },
  }
}

function getStatus(errors: FieldErrors | undefined) {
  return { status: errors === undefined ? 200 : 400 }
}

/** What an empty field of a form removes. */
function listOptional(resource: Resource): Readonly<Record<string, null>> {
  const optional = listInputs(resource).filter(({ field }) => 'optional' in field)
  return Object.fromEntries(optional.map(({ name }) => [name, null]))
}

/** An empty field of a form stands for a value that is not given. */
function readForm(resource: Resource, request: PageRequest): Record<string, string> {
  const entries = listInputs(resource).flatMap(({ name, field }) => {
    const typed = getField(request, name)
    if (!isRequired(field) && typed.trim() === '') return []
    if (field.kind !== 'text') return [[name, typed]]
    return [[name, field.isLine ? typed.trim() : normalizeLineBreaks(typed)]]
  })
  return Object.fromEntries(entries)
}

function getLabel(name: string, field: Field | undefined): string {
  if (field?.kind === 'created') return 'Created'
  const label = field !== undefined && 'label' in field ? field.label : undefined
  return label ?? capitalize(name.replaceAll('_', ' '))
}

/** The fields of a form, those beside each other in one row. */
function FormFields(props: {
  readonly resource: Resource
  readonly values: Values
  readonly errors: FieldErrors | undefined
}): Html {
  const rows: Html[][] = []
  for (const { name, field } of listInputs(props.resource)) {
    const input = createInput(name, field, props)
    if (field.beside === true) rows.at(-1)?.push(input)
    else rows.push([input])
  }
  return <>{rows.map(row => (row.length === 1 ? row[0] : <Beside>{row}</Beside>))}</>
}

function createInput(
  name: string,
  field: InputField,
  { values, errors }: { readonly values: Values; readonly errors: FieldErrors | undefined },
): Html {
  const given = values[name]
  const value = Array.isArray(given) ? given.join(', ') : String(given ?? '')
  const input: FieldProps = {
    ...{ name, value, label: getLabel(name, field), hint: field.hint, error: errors?.[name] },
    ...(isRequired(field) && { required: true }),
  }
  if (field.kind === 'choice') {
    const options = field.options.map((each, at) => [each, field.labels?.[at] ?? each] as const)
    return <Select {...input} options={options} />
  }
  if (field.kind === 'text' && field.isLong === true) return <TextArea {...input} />
  return <TextField {...input} {...(field.kind === 'integer' && { inputmode: 'numeric' })} />
}
