import * as z from 'zod/mini'
import { annotate, describe, utcTime } from '../schema/describe.js'
import { define, type Operation } from './define-operation.js'

const noSecretUrl = {
  not_found: 'There is no such secret URL; or it ended.',
  too_many_requests: 'Its rate is used up; or too many wrong secret URLs were tried.',
  invalid_parameter: 'A field is invalid, or is one that the secret URL sets.',
  invalid_request: 'The recipient is missing, or the text is empty.',
}

const createdMessage = z.lazy(() => z.object(createdFields()))

function createdFields() {
  return {
    message: describe(
      z.object({
        id: describe(z.string(), 'The id of the message.'),
        status: describe(z.string(), 'Its status; B if the recipient is on a Do Not Text list.'),
        status_date: describe(z.string(), 'When the status last changed.', utcTime),
        created_on: describe(z.string(), 'When it was created.', utcTime),
        send_on: describe(z.string(), 'The earliest time to send it.', utcTime),
        source: describe(z.string(), 'Always `url`.'),
      }),
      'The message, without its text and recipient.',
    ),
  }
}

const warnings = describe(
  z.optional(z.array(z.string())),
  'What is wrong with the text: fields of its template that are missing, or that it was cut.',
)

const secretUrlUse = z.lazy(() =>
  z.union([
    z.object({ ...createdFields(), warnings }),
    z.object({
      messages: describe(z.array(createdMessage), 'The messages, if it has several recipients.'),
      warnings,
    }),
  ]),
)

const secretUrlFields = z.lazy(() =>
  z.object({
    destination: describe(z.optional(z.string()), 'The recipient, unless the secret URL sets it.'),
    message: describe(
      z.optional(z.string()),
      'The text, unless the secret URL sets it. Each `{name}` in a text that it sets is a field; ' +
        'JSON in a field is read, too. A body of plain text is the text.',
    ),
    key: describe(z.optional(z.string()), 'As the header field `Idempotency-Key`.'),
  }),
)

const noContent = annotate(z.unknown(), { 'x-empty': true })
const document = annotate(z.unknown(), { type: 'object' })
const page = annotate(z.unknown(), { type: 'string', 'x-media-type': 'text/html' })
const metrics = annotate(z.unknown(), { type: 'string', 'x-media-type': 'text/plain' })

const notReady = z.lazy(() =>
  z.object({
    status: describe(z.string(), 'Always `not_ready`.'),
    failed: describe(
      z.array(
        z.object({
          check: describe(z.string(), 'The check: `store`, `schema`, `data` or `draining`.'),
          reason: describe(z.string(), 'Why it failed.'),
        }),
      ),
      'The failed checks.',
    ),
  }),
)

const ready = z.lazy(() =>
  z.object({ status: describe(z.string(), '`ready`; `ok` of `/healthz`.') }),
)

/** Paths outside of the interface, which other parts of the server serve. */
export const serverOperations = {
  useSecretUrl: define('GET /u/:secret', 'none', secretUrlUse, {
    section: 'Secret URLs',
    summary: 'Send a message with a secret URL',
    description:
      'With `confirm` it only shows a page that asks for confirmation. HEAD and a prefetch never ' +
      'send.',
    headers: ['Idempotency-Key'],
    query: secretUrlFields,
    errors: {
      ...noSecretUrl,
      method_not_allowed: 'GET only shows a page here, which the client does not accept.',
    },
  }),
  postSecretUrl: define('POST /u/:secret', 'none', secretUrlUse, {
    section: 'Secret URLs',
    summary: 'Send a message with a secret URL, with fields in the body',
    description: 'Fields can be in the query and in the body.',
    headers: ['Idempotency-Key'],
    query: secretUrlFields,
    request: secretUrlFields,
    errors: noSecretUrl,
  }),
  showSecretUrlMethods: define('OPTIONS /u/:secret', 'none', noContent, {
    section: 'Secret URLs',
    summary: 'List the methods of a secret URL',
    description: 'The header field `Allow` has them; the status is 204.',
  }),
  getHealth: define('GET /healthz', 'none', ready, {
    section: 'The server',
    summary: 'Ask whether the process runs',
    description: 'It never asks the store.',
  }),
  getReadiness: define('GET /readyz', 'none', ready, {
    section: 'The server',
    summary: 'Ask whether the relay is ready',
    description: 'The status is 503 while the store cannot be written, or the relay stops.',
    others: { 503: notReady },
  }),
  getMetrics: define('GET /metrics', 'none', metrics, {
    section: 'The server',
    summary: 'Get metrics for Prometheus',
    description:
      'Only with `SMSRELAY_METRICS_TOKEN`, which is the bearer token of the request; otherwise ' +
      'there is nothing at this path. `serve --metrics-port` serves it on a port of its own, ' +
      'without a token.',
    errors: { invalid_token: 'The token is not that of the setting.' },
  }),
  getOpenApi: define('GET /openapi.json', 'none', document, {
    section: 'The server',
    summary: 'Get this document, as OpenAPI 3.1',
    description: 'It has NEXT under `x-additionalOperations`.',
  }),
  showReference: define('GET /docs', 'none', page, {
    section: 'The server',
    summary: 'Show this document as a page',
    description: 'The page has no scripts.',
  }),
} satisfies Record<string, Operation>
