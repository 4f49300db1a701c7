import { renderApiPage } from './api-page.js'
import type { Example } from './document.js'
import { createOpenApiDocument } from './openapi.js'

/** The generated texts of the API reference. */
interface Reference {
  /** The page docs/reference/api.md. */
  readonly page: string
  /** The OpenAPI documents, by the names of their files. */
  readonly documents: Readonly<Record<string, string>>
}

export function generateReference(examples: readonly Example[]): Reference {
  const latest = createOpenApiDocument('3.2', examples)
  return {
    page: renderApiPage(latest),
    documents: {
      'openapi.json': toJson(createOpenApiDocument('3.1', examples)),
      'openapi-3.2.json': toJson(latest),
    },
  }
}

function toJson(document: object): string {
  return `${JSON.stringify(document, null, 1)}\n`
}
