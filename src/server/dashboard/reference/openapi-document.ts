// The API reference as a page, from the OpenAPI document that the build makes of src/contract/api.
//
// - openapi-document: the parts of the document that people read; listOperations and
//   describe-schema (fields as rows of tables) also make docs/reference/api.md, and so does
//   format-example (an example as text)
// - reference-page: the page of `/docs`, without scripts
// - reference-routes: that page, which needs no session, and `/openapi.json`

export interface SchemaObject {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: SchemaObject
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly SchemaObject[]
  readonly additionalProperties?: SchemaObject
  readonly 'x-unit'?: string
  readonly 'x-extension'?: boolean
}

export interface MediaType {
  readonly schema: SchemaObject
  readonly example?: unknown
}

/** A parameter of an OpenAPI document; an object is in `content`, as JSON. */
export interface ParameterObject {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly required?: boolean
  readonly schema?: SchemaObject
  readonly content?: Readonly<Record<string, MediaType>>
  readonly 'x-extension'?: boolean
}

export interface ErrorCause {
  readonly code: string
  readonly cause: string
  readonly remedy: string
}

interface HeaderObject {
  readonly description: string
  readonly required?: boolean
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
  readonly 'x-errors'?: readonly ErrorCause[]
}

export interface ExampleRequest {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
}

interface ExampleReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** An example of an error in the OpenAPI document; `value` is the body of the reply. */
export interface ErrorExample {
  readonly summary: string
  readonly value: unknown
  readonly 'x-request': ExampleRequest & { readonly body?: unknown }
  readonly 'x-reply': ExampleReply
}

interface Reference {
  readonly $ref: string
}

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** The heading of docs/reference/extensions.md, of what is not in the base interface. */
  readonly 'x-extension'?: string
  /** The section of docs/reference/interface.md. */
  readonly 'x-section'?: string
  readonly 'x-token'?: string
  readonly security?: readonly object[]
  readonly 'x-request'?: ExampleRequest
  readonly 'x-reply'?: ExampleReply
  readonly parameters?: readonly (ParameterObject | Reference)[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly description?: string
    readonly content: Readonly<Record<string, MediaType>>
  }
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

type PathItem = Readonly<Record<string, OperationObject>> & {
  /** Header fields that every request can have; the introduction describes them. */
  readonly parameters?: never
  /** Methods that OpenAPI 3.1 does not know, such as NEXT. */
  readonly 'x-additionalOperations'?: Readonly<Record<string, OperationObject>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly parameters: Readonly<Record<string, ParameterObject>>
    readonly securitySchemes: Readonly<Record<string, object>>
    readonly examples: Readonly<Record<string, ErrorExample>>
  }
}

export interface ReferenceOperation {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

export function listOperations({ paths }: OpenApiDocument): ReferenceOperation[] {
  return Object.entries(paths).flatMap(
    ([path, { 'x-additionalOperations': others = {}, parameters: _, ...plain }]) =>
      [...Object.entries(others), ...Object.entries(plain)].map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
  )
}

export function listParameters(
  { components }: OpenApiDocument,
  { parameters = [] }: OperationObject,
): ParameterObject[] {
  return parameters.map(each => resolve(each, components.parameters))
}

export function listResponses(
  { components }: OpenApiDocument,
  { responses }: OperationObject,
): (readonly [status: string, response: ResponseObject])[] {
  return Object.entries(responses).map(
    ([status, each]) => [status, resolve(each, components.responses)] as const,
  )
}

const errorsOfAll = new Set(['timed_out', 'internal_error', 'unavailable'])

export function describeErrorsOfAll(): string {
  return [...errorsOfAll].map(code => `\`${code}\``).join(', ')
}

/**
 * The errors of an operation, without those of all: `special` ones, whose cause is described for
 * this operation, and the codes of the others.
 */
export function listErrors(
  document: OpenApiDocument,
  operation: OperationObject,
): { special: KnownError[]; others: string[] } {
  const own = Object.entries(operation.responses).flatMap(([status, each]) =>
    '$ref' in each ? [] : (each['x-errors'] ?? []).map(error => ({ ...error, status })),
  )
  const special = own.filter(({ code }) => !errorsOfAll.has(code))
  const all = listResponses(document, operation)
    .flatMap(([, { 'x-errors': errors = [] }]) => errors.map(({ code }) => code))
    .filter(code => !errorsOfAll.has(code))
  return { special, others: all.filter(code => special.every(each => each.code !== code)) }
}

interface KnownError extends ErrorCause {
  readonly status: string
}

/** The errors of all operations by status; the cause is empty if each operation has its own. */
export function listAllErrors(document: OpenApiDocument): KnownError[] {
  const shared = Object.values(document.components.responses).flatMap(
    each => each['x-errors'] ?? [],
  )
  const causes = new Map(shared.map(({ code, cause }) => [code, cause]))
  const errors = new Map<string, KnownError>()
  for (const { operation } of listOperations(document)) {
    for (const [status, { 'x-errors': found = [] }] of listResponses(document, operation))
      for (const each of found)
        errors.set(each.code, { ...each, status, cause: causes.get(each.code) ?? '' })
  }
  return [...errors.values()].sort((a, b) => Number(a.status) - Number(b.status))
}

function resolve<T extends object>(each: T | Reference, from: Readonly<Record<string, T>>): T {
  if (!('$ref' in each)) return each
  const found = from[getComponentName(each)]
  if (found === undefined) throw new Error(`The document has no ${each.$ref}.`)
  return found
}

export function resolveSchema({ components }: OpenApiDocument, schema: SchemaObject): SchemaObject {
  if (schema.$ref === undefined) return schema
  return resolve({ $ref: schema.$ref }, components.schemas)
}

export function getComponentName({ $ref }: Reference): string {
  return $ref.split('/').at(-1) ?? ''
}
