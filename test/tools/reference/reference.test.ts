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
import type { Example } from '../../../tools/reference/document.js'
import { generateReference } from '../../../tools/reference/generate.js'
import { createOpenApiDocument } from '../../../tools/reference/openapi.js'
import { projectRoot, readText } from '../../source-tree.js'

const examples: readonly Example[] = JSON.parse(readText('tools/reference/examples.json'))
const latest = createOpenApiDocument('3.2', examples)
const plain = createOpenApiDocument('3.1', examples)
const { page, documents } = generateReference(examples)
const files: readonly (readonly [string, string])[] = [
  ['docs/reference/api.md', page],
  ...Object.entries(documents).map(
    ([name, text]) => [`src/server/dashboard/public/${name}`, text] as const,
  ),
]
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

test.each(files)('%s is what `npm run reference` writes', async (file, text) => {
  await expect(text).toMatchFileSnapshot(join(projectRoot, file))
})

test.each([
  ['3.1', plain],
  ['3.2', latest],
])('the document of OpenAPI %s is valid', async (version, document) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe(version)
})

test('the validator refuses a document with NEXT beside GET', async () => {
  const document = { ...latest, paths: { '/x': { next: { responses: {} } } } }
  expect((await new Validator().validate(document)).valid).toBe(false)
})

test('the documents have every operation, NEXT only in 3.2', () => {
  const routes = Object.values(all)
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    .sort()
  expect(listRoutes(latest)).toEqual(routes)
  expect(listRoutes(plain)).toEqual(routes.filter(route => !route.startsWith('NEXT ')))
  expect(listRoutes(plain)).toContain('GET /api/1/message/next')
})

test('every field, parameter and object has a description', () => {
  const rows: readonly (readonly [string, FieldRow])[] = [
    ...listOperations(latest).flatMap(({ operation }) => {
      const { operationId, requestBody, responses } = operation
      const bodies = [requestBody, responses['200']].flatMap(each =>
        each !== undefined && 'content' in each ? Object.values(each.content ?? {}) : [],
      )
      const parameters = listParameters(latest, operation).flatMap(each =>
        Object.values(each.content ?? {}),
      )
      return [...bodies, ...parameters].flatMap(({ schema }) =>
        listFields(schema).map(row => [operationId, row] as const),
      )
    }),
    ...Object.entries(latest.components.schemas).flatMap(([name, schema]) =>
      listFields(schema).map(row => [name, row] as const),
    ),
  ]
  const silent = rows.filter(([, { description, component }]) => !description && !component)
  expect(rows.length).toBeGreaterThan(300)
  expect(silent.map(([where, { name }]) => `${where}: ${name}`)).toEqual([])
  const parameters = listOperations(latest).flatMap(({ operation }) =>
    listParameters(latest, operation),
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
