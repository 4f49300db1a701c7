import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { Operation } from '../../../src/contract/api/define-operation.js'
import { operations, publicOperations } from '../../../src/contract/api/operations.js'
import { serverOperations } from '../../../src/contract/api/server-operations.js'
import {
  type FieldRow,
  listFields,
} from '../../../src/server/dashboard/reference/describe-schema.js'
import {
  listOperations,
  listParameters,
  type OpenApiDocument,
} from '../../../src/server/dashboard/reference/openapi-document.js'
import { renderReferencePage } from '../../../src/server/dashboard/reference/reference-page.js'
import { generateReference } from '../../../tools/reference/api-page.js'
import type { Example } from '../../../tools/reference/document.js'
import { projectRoot, readText } from '../../source-tree.js'

const examples: readonly Example[] = JSON.parse(readText('tools/reference/examples.json'))
const { page, document: text } = generateReference(examples)
const document: OpenApiDocument = JSON.parse(text)
const all: Readonly<Record<string, Operation>> = {
  ...publicOperations,
  ...operations,
  ...serverOperations,
}

function listRoutes(document: OpenApiDocument): string[] {
  return listOperations(document)
    .map(({ method, path }) => `${method} ${path}`)
    .sort()
}

test('docs/reference/api.md is what `npm run reference` writes', async () => {
  await expect(page).toMatchFileSnapshot(join(projectRoot, 'docs/reference/api.md'))
})

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(text))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the validator refuses a document with NEXT beside GET', async () => {
  const invalid = { ...document, paths: { '/x': { next: { responses: {} } } } }
  expect((await new Validator().validate(invalid)).valid).toBe(false)
})

test('the document has every operation, NEXT among them', () => {
  const routes = Object.values(all)
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    .sort()
  expect(listRoutes(document)).toEqual(routes)
  expect(routes).toContain('NEXT /api/1/message')
})

test('the page of a relay has every operation, NEXT among them', () => {
  const { body } = renderReferencePage(document)
  for (const { method, path } of Object.values(all))
    expect(body.toString()).toContain(`<code>${method} ${path.replace(/:(\w+)/g, '{$1}')}</code>`)
})

test('every field, parameter and object has a description', () => {
  const rows: readonly (readonly [string, FieldRow])[] = [
    ...listOperations(document).flatMap(({ operation }) => {
      const { operationId, requestBody, responses } = operation
      const bodies = [requestBody, responses['200']].flatMap(each =>
        each !== undefined && 'content' in each ? Object.values(each.content ?? {}) : [],
      )
      const parameters = listParameters(document, operation).flatMap(each =>
        Object.values(each.content ?? {}),
      )
      return [...bodies, ...parameters].flatMap(({ schema }) =>
        listFields(schema).map(row => [operationId, row] as const),
      )
    }),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      listFields(schema).map(row => [name, row] as const),
    ),
  ]
  const silent = rows.filter(([, { description, component }]) => !description && !component)
  expect(rows.length).toBeGreaterThan(300)
  expect(silent.map(([where, { name }]) => `${where}: ${name}`)).toEqual([])
  const parameters = listOperations(document).flatMap(({ operation }) =>
    listParameters(document, operation),
  )
  expect(parameters.filter(({ description }) => !description)).toEqual([])
})

test('every section of an operation is a heading of the interface or of the extensions', () => {
  const headings = (page: string) =>
    [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  const known = new Set([
    ...headings('docs/reference/interface.md').map(title => title.split(' ')[0]),
    ...headings('docs/reference/extensions.md'),
  ])
  const sections = new Set(Object.values(all).map(({ section }) => section))
  expect([...sections].filter(section => !known.has(section))).toEqual([])
})
