import { Card, CardBody } from '../components/card.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import type { PageContent } from '../page/page.js'
import { listFields } from './describe-schema.js'
import {
  listOperations,
  type OpenApiDocument,
  type ReferenceOperation,
} from './openapi-document.js'
import {
  AllErrors,
  Errors,
  ExampleOf,
  FieldTable,
  Mark,
  Parameters,
  ReplyFields,
  RequestFields,
} from './reference-tables.js'
import { RichText } from './rich-text.js'

export function renderReferencePage(document: OpenApiDocument): PageContent {
  const body = <Reference document={document} />
  return { title: 'API', current: '/docs', isStatic: true, body }
}

function Reference({ document }: { document: OpenApiDocument }): Html {
  const operations = listOperations(document)
  return (
    <>
      <Card label="About the API">
        <CardBody>
          <Introduction document={document} />
        </CardBody>
      </Card>
      {document.tags.map(({ name }) => (
        <Card title={name}>
          {operations
            .filter(({ operation }) => operation.tags.includes(name))
            .map(each => (
              <Operation document={document} entry={each} />
            ))}
        </Card>
      ))}
      <Events document={document} />
      <Objects document={document} />
      <Card title="All errors">
        <AllErrors document={document} />
      </Card>
    </>
  )
}

function Introduction({ document }: { document: OpenApiDocument }): Html {
  return (
    <>
      {document.info.description.split('\n\n').map(text => (
        <p>
          <RichText text={text} />
        </p>
      ))}
      <p>
        For tools:{' '}
        <a href="/openapi.json" download="openapi.json">
          OpenAPI 3.1
        </a>
        .
      </p>
      <nav aria-label="Contents">
        <ul class="contents">
          {[...document.tags.map(({ name }) => name), 'Event names', 'Objects', 'All errors'].map(
            name => (
              <li>
                <a href={`#${toId(name)}`}>{name}</a>
              </li>
            ),
          )}
        </ul>
      </nav>
    </>
  )
}

function Operation(props: { document: OpenApiDocument; entry: ReferenceOperation }): Html {
  const { document } = props
  const { method, path, operation } = props.entry
  return (
    <article id={operation.operationId} class="operation">
      <h3>{operation.summary}</h3>
      <p>
        <code>{`${method} ${path}`}</code>
        {operation['x-extension'] !== undefined && <Mark />}
      </p>
      {operation.description !== undefined && (
        <p>
          <RichText text={operation.description} />
        </p>
      )}
      <p>{operation['x-token']}</p>
      <details class="disclosure">
        <summary>Fields and errors</summary>
        <Parameters document={document} operation={operation} />
        <RequestFields document={document} operation={operation} />
        <ReplyFields document={document} operation={operation} />
        <Errors document={document} operation={operation} />
        <ExampleOf operation={operation} />
      </details>
    </article>
  )
}

function Events({ document }: { document: OpenApiDocument }): Html {
  const rows = Object.entries(document.webhooks).map(([name, { post }]) => [
    <code>{name}</code>,
    <>
      {post.summary}
      {post['x-extension'] !== undefined && <Mark />}
    </>,
  ])
  return (
    <Card title="Event names">
      <Table caption="When events are fired" head={['Event', 'Fired when']} rows={rows} empty="" />
    </Card>
  )
}

function Objects({ document }: { document: OpenApiDocument }): Html {
  const objects = Object.entries(document.components.schemas).filter(
    ([name]) => !/^Webhook_|Request$/.test(name),
  )
  return (
    <Card title="Objects">
      {objects.map(([name, schema]) => (
        <article id={name} class="operation">
          <h3>{name}</h3>
          <p>
            <RichText text={schema.description ?? ''} />
          </p>
          {schema.properties && <FieldTable caption={name} rows={listFields(schema)} />}
        </article>
      ))}
    </Card>
  )
}

function toId(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
