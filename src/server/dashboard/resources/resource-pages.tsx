import { getSchemas } from '../../../contract/schema/resource-schema.js'
import { includesRole } from '../../../domain/account/person.js'
import {
  capitalize,
  type DraftOf,
  type Field,
  type InputField,
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
  const { name, page, operations } = resource
  const pages = new ResourcePages(resource, service, slots)
  const path = `${page.path}/:id`
  return {
    [page.path]: {
      GET: async request => await pages.showList(request),
      POST: async request => await pages.create(request),
    },
    ...(operations.includes('edit') && {
      [path]: {
        GET: async request => await pages.showStored(request),
        POST: async request => await pages.edit(request),
      },
    }),
    [`${path}/delete`]: {
      POST: createDeleteHandler(
        page.path,
        { done: page.deleted, gone: `There is no such ${name} any more.` },
        async ({ account, http }) => await service.remove(account, getParam(http, 'id')),
      ),
    },
  }
}

class ResourcePages<R extends Resource> {
  readonly #service: ResourceService<R>
  readonly #resource: R
  readonly #slots: PageSlots<R>

  constructor(resource: R, service: ResourceService<R>, slots: PageSlots<R>) {
    this.#service = service
    this.#resource = resource
    this.#slots = slots
  }

  async create(request: PageRequest): Promise<PageResult> {
    const { name, page } = this.#resource
    const parsed = parseFields(getSchemas(this.#resource).create, readForm(this.#resource, request))
    if ('errors' in parsed) return await this.showList(request, parsed.errors)
    try {
      const created = await this.#service.create(request.account, parsed.data)
      if (this.#slots.created !== undefined) return this.#slots.created(created)
      const { id, ...record } = created.record as Values & { readonly id: string }
      const path = this.#slots.details === undefined ? page.path : this.#getPath(id)
      return redirectWithSuccess(path, `The ${name} ${record.name} is created.`)
    } catch (error) {
      return await this.showList(request, toFieldErrors(error))
    }
  }

  async edit(request: PageRequest): Promise<PageResult> {
    const { name, page } = this.#resource
    const current = await this.#service.get(request.account, getParam(request.http, 'id'))
    const form = readForm(this.#resource, request)
    return await submitEdit<DraftOf<R>>(
      request,
      parseFields(getSchemas(this.#resource).create, form),
      {
        save: async draft => {
          const check = (record: RecordOf<R>) => checkVersion(request, this.#getVersion(record))
          const changes = { ...listOptional(this.#resource), ...draft }
          await this.#service.edit(request.account, current.id, changes, check)
          const path = this.#slots.details === undefined ? page.path : this.#getPath(current.id)
          return redirectWithSuccess(path, `The ${name} is ${page.edit?.done ?? 'saved'}.`)
        },
        showForm: async errors => await this.#showRecord(request, current, form, errors),
        showCurrent: async fresh => await this.showStored(fresh),
        reason: `The ${name} has been ${page.edit?.done ?? 'changed'} in the meantime.`,
      },
    )
  }

  async showStored(request: PageRequest): Promise<PageResult> {
    const record = await this.#service.get(request.account, getParam(request.http, 'id'))
    const values = listInputs(this.#resource).map(({ name, stored }) => [
      name,
      (record as Values)[stored],
    ])
    return await this.#showRecord(request, record, Object.fromEntries(values))
  }

  async showList(request: PageRequest, errors?: FieldErrors): Promise<PageResult> {
    const { name, plural, page } = this.#resource
    const { items, ...links } = await this.#readPage(request)
    const describe = await this.#service.describe(request.account)
    const shown = items.map(record => ({ record, said: describe({ record }) }))
    const label = `New ${name}`
    const body = (
      <>
        {this.#slots.notice?.()}
        <Card label={capitalize(plural)}>
          {this.#createTable(shown, request.csrf)}
          <Pagination label={`Pages of ${plural}`} path={page.path} {...links} />
        </Card>
        <Card title={label}>
          <Form action={page.path} csrf={request.csrf} label={label} errors={errors}>
            <FormFields resource={this.#resource} values={request.fields} errors={errors} />
            <Actions>
              <Button label={`Create the ${name}`} />
            </Actions>
          </Form>
        </Card>
      </>
    )
    const actions = <FormLink id={`new-${name}`} label={label} />
    const { title, lead } = page
    return showPage({ title, ...this.#getPlace(), lead, actions, body, ...getStatus(errors) })
  }

  /** Lists that are in order of names are read as a whole. */
  async #readPage(request: PageRequest) {
    if (isNamed(this.#resource)) {
      const all = await this.#service.list(request.account)
      const start = parseStart(getQueryField(request, 'start'))
      const items = all.slice(start, start + pageSize)
      return { items, ...createPageQueries({ start, pageSize, total: all.length }) }
    }
    const after = readPageKey(getQueryField(request, 'after'))
    const found = await this.#service.getPage(request.account, { count: pageSize + 1, after })
    return { ...createKeyedPage(found, { after, pageSize }), previousLabel: 'First page' }
  }

  #createTable(all: readonly Shown<R>[], csrf: string): Html {
    const { fields, page, plural } = this.#resource
    const { cells = {}, rowActions, nameOf = ({ record }) => (record as Values).name } = this.#slots
    return (
      <Table
        caption={capitalize(plural)}
        head={[...page.columns.map(each => getLabel(each, fields[each])), <ActionsHeader />]}
        rows={all.map(shown => {
          const path = this.#getPath(shown.record.id)
          const target = String(nameOf(shown))
          const button = (
            <ConfirmButton action={`${path}/delete`} csrf={csrf} label="Delete" target={target} />
          )
          const row = page.columns.map(
            each => cells[each]?.(shown) ?? this.#createCell(each, shown, path),
          )
          if (rowActions === undefined) return [...row, button]
          return [
            ...row,
            <Actions>
              {rowActions(shown.record)}
              {button}
            </Actions>,
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

  #createCell(name: string, { record, said }: Shown<R>, path: string): Child {
    const field = this.#resource.fields[name]
    if (field?.kind === 'created') return <Time at={record.createdAt} />
    const stored = field !== undefined && 'stored' in field ? (field.stored ?? name) : name
    const value = (record as Values)[stored] ?? said[name] ?? ''
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    if (name === 'name' && this.#resource.operations.includes('edit'))
      return <a href={path}>{text}</a>
    return field?.kind === 'text' && field.isLong ? <span class="text">{text}</span> : text
  }

  async #showRecord(
    request: PageRequest,
    record: RecordOf<R>,
    values: Values,
    errors?: FieldErrors,
  ): Promise<PageResult> {
    const { name, page, plural, role } = this.#resource
    const { details, pageActions, nameOf = ({ record }) => (record as Values).name } = this.#slots
    const label = page.edit?.label ?? capitalize(name)
    const back = { path: page.path, label: `Back to the ${plural}` }
    const body = (
      <>
        {includesRole(request.caller.role, role) ? (
          <EditCard
            {...{ request, errors, label, back, path: this.#getPath(record.id) }}
            version={this.#getVersion(record)}
            button={page.edit?.button ?? 'Save'}
          >
            <FormFields resource={this.#resource} values={values} errors={errors} />
          </EditCard>
        ) : (
          listInputs(this.#resource).map(({ name: key, field }) => (
            <Card title={getLabel(key, field)}>
              <CardBody>
                <p class="text">{String(values[key] ?? '')}</p>
              </CardBody>
            </Card>
          ))
        )}
        {await details?.(request, record)}
      </>
    )
    return showPage({
      ...{ title: String(nameOf({ record, said: {} })), body, ...getStatus(errors) },
      current: page.parent?.path ?? page.path,
      parent: { path: page.path, label: page.title },
      actions: pageActions?.(record),
    })
  }

  #getPlace() {
    const { parent, path } = this.#resource.page
    return parent === undefined ? { current: path } : { current: parent.path, parent }
  }

  #getPath(id: string): string {
    return `${this.#resource.page.path}/${encodeURIComponent(id)}`
  }

  #getVersion(record: RecordOf<R>): string {
    return createVersion(listValues(this.#resource, record))
  }
}

function getStatus(errors: FieldErrors | undefined) {
  return { status: errors === undefined ? 200 : 400 }
}

function isNamed({ fields: { name } }: Resource): boolean {
  return name?.kind === 'text' && name.unique === 'account'
}

function isRequired(field: InputField): boolean {
  return field.kind === 'text' && field.optional !== true && field.default === undefined
}

/** What an empty field of a form removes. */
function listOptional(resource: Resource): Readonly<Record<string, null>> {
  const optional = listInputs(resource).filter(({ field }) => 'optional' in field)
  return Object.fromEntries(optional.map(({ name }) => [name, null]))
}

/** An empty field of a form stands for a value that is not given. */
function readForm(resource: Resource, request: PageRequest): Record<string, string> {
  const entries = listInputs(resource).map(({ name, field }) => {
    const typed = getField(request, name)
    if (field.kind !== 'text') return [name, field, typed] as const
    const text = field.isLine === true ? typed.trim() : typed
    return [name, field, field.isLong === true ? text.replaceAll('\r\n', '\n') : text] as const
  })
  const given = entries.filter(([, field, text]) => isRequired(field) || text.trim() !== '')
  return Object.fromEntries(given.map(([name, , text]) => [name, text]))
}

function getLabel(name: string, field: Field | undefined): string {
  if (field?.kind === 'created') return 'Created'
  return (
    (field !== undefined && 'label' in field && field.label) ||
    capitalize(name.replaceAll('_', ' '))
  )
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
  switch (field.kind) {
    case 'choice':
      return (
        <Select
          {...input}
          options={field.options.map((each, at) => [each, field.labels?.[at] ?? each] as const)}
        />
      )
    case 'integer':
      return <TextField {...input} inputmode="numeric" />
    case 'list':
      return <TextField {...input} />
    case 'text':
      return field.isLong === true ? <TextArea {...input} /> : <TextField {...input} />
  }
}
