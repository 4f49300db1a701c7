import { CardBody } from '../components/card.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { describeType, type FieldRow, listFields, listReplyFields } from './describe-schema.js'
import { formatExample } from './format-example.js'
import {
  describeErrorsOfAll,
  listAllErrors,
  listErrors,
  listParameters,
  type OpenApiDocument,
  type OperationObject,
  resolveSchema,
} from './openapi-document.js'
import { RichText } from './rich-text.js'

interface Part {
  readonly document: OpenApiDocument
  readonly operation: OperationObject
}

export function Parameters({ document, operation }: Part): Html {
  const parameters = listParameters(document, operation)
  if (parameters.length === 0) return Fragment({})
  const rows = parameters.flatMap(each => {
    const json = each.content?.['application/json']
    const type = json === undefined ? describeType(each.schema ?? {}) : 'text of a JSON object'
    const place = `${each.in}${each.required ? ', required' : ''}`
    const description = (
      <>
        <RichText text={each.description} />
        {each['x-extension'] && <Mark />}
      </>
    )
    const row = [<code>{each.name}</code>, place, <RichText text={type} />, description]
    const fields = json === undefined ? [] : listFields(json.schema, each.name)
    return [row, ...fields.map(field => toCells(field))]
  })
  return (
    <>
      <h4>Parameters</h4>
      <Table
        caption={`Parameters: ${operation.summary}`}
        head={['Name', 'In', 'Type and limits', 'Meaning']}
        rows={rows}
        empty=""
      />
    </>
  )
}

export function RequestFields({ document, operation }: Part): Html {
  const { requestBody } = operation
  const json = requestBody?.content['application/json']
  if (json === undefined) return Fragment({})
  const schema = resolveSchema(document, json.schema)
  return (
    <>
      <h4>Fields of the request</h4>
      <FieldTable
        caption={`Fields of the request: ${operation.summary}`}
        rows={listFields(schema)}
      />
      <p>{requestBody?.description}</p>
    </>
  )
}

export function ReplyFields({ document, operation }: Part): Html {
  const rows = listReplyFields(document, operation)
  if (rows.length === 0) return Fragment({})
  return (
    <>
      <h4>Fields of the reply</h4>
      <FieldTable caption={`Fields of the reply: ${operation.summary}`} rows={rows} />
    </>
  )
}

export function FieldTable({
  caption,
  rows,
}: {
  caption: string
  rows: readonly FieldRow[]
}): Html {
  const head = ['Name', 'Presence', 'Type and limits', 'Meaning']
  return <Table caption={caption} head={head} rows={rows.map(toCells)} empty="No fields." />
}

function toCells(row: FieldRow): Child[] {
  const { name, type, component, isRequired, isExtension, description } = row
  return [
    <code>{name}</code>,
    isRequired ? 'always' : 'optional',
    component === undefined ? <RichText text={type} /> : <a href={`#${component}`}>{type}</a>,
    <>
      <RichText text={description} />
      {isExtension && <Mark />}
    </>,
  ]
}

export function Errors({ document, operation }: Part): Html {
  const { special, others } = listErrors(document, operation)
  const rows = special.map(({ status, code, cause, remedy }) => [
    status,
    <code>{code}</code>,
    <RichText text={`${cause} ${remedy}`} />,
  ])
  const caption = `Errors: ${operation.summary}`
  return (
    <>
      <h4>Errors</h4>
      {rows.length > 0 && (
        <Table
          caption={caption}
          head={['Status', 'Error', 'Cause and remedy']}
          rows={rows}
          empty=""
        />
      )}
      <p>
        <a href="#all-errors">Those of all requests</a>
        {others.map(code => (
          <>
            , <code>{code}</code>
          </>
        ))}
      </p>
    </>
  )
}

export function AllErrors({ document }: Pick<Part, 'document'>): Html {
  const rows = listAllErrors(document).map(({ status, code, cause, remedy }) => [
    status,
    <code>{code}</code>,
    <RichText text={`${cause} ${remedy}`.trim()} />,
  ])
  return (
    <>
      <CardBody>
        <p>
          Every request can have <RichText text={describeErrorsOfAll()} />.
        </p>
      </CardBody>
      <Table
        caption="All errors"
        head={['Status', 'Error', 'Cause and remedy']}
        rows={rows}
        empty=""
      />
    </>
  )
}

export function ExampleOf({ operation }: { operation: OperationObject }): Html {
  const example = formatExample(operation)
  if (example === undefined) return Fragment({})
  const { request, reply } = example
  return (
    <>
      <h4>Example</h4>
      <pre class="said" tabindex="0">
        {request}
      </pre>
      <pre class="said" tabindex="0">
        {reply}
      </pre>
    </>
  )
}

export function Mark(): Html {
  return <small class="mark"> extension</small>
}
