// The REST interface in one table: each operation with its method, path, scope, schemas, errors and
// description.
//
// - server/api has one handler for each operation; api-routes.ts mounts them in this order, so the
//   busiest paths come first.
// - client sends the same methods and paths.
// - tools/reference makes the API reference and the OpenAPI documents of it.
//
// `query` and `request` are the schemas of the parameters, `reply` is that of the 200 reply. The
// path `:id` matches one segment. HEAD is answered as GET. define-operation.ts adds the
// base path and the common errors; api-errors.ts has statuses and remedies.
import * as z from 'zod/mini'
import { describe } from '../schema/describe.js'
import { anyReply, tokenReply } from '../user-schema.js'
import { accountOperations, userOperations } from './account-operations.js'
import { auditOperations } from './audit-operations.js'
import { contactOperations } from './contact-operations.js'
import { type Details, define, type Operation } from './define-operation.js'
import { messageOperations, messageStateOperations } from './message-operations.js'
import { peopleOperations } from './people-operations.js'
import { phoneOperations, receivedTextOperations } from './phone-operations.js'
import { resourceOperations } from './resource-operations.js'
import { subscriptionOperations } from './subscription-operations.js'

const token = z.object({ token: describe(z.string(), 'The token to revoke.') })
const revocation: Details = {
  section: '4.1',
  summary: 'Revoke a token',
  description: 'The reply is `{}`, also for an unknown token.',
}

/** The route table's REST operations without a bearer token (docs/reference/interface.md 4.1). */
export const publicOperations = {
  issueToken: define('GET /oauth', 'none', tokenReply, {
    section: '4.1',
    summary: 'Get a token',
    description:
      'The header field `Authorization: Basic` has secret key and API key, secret key and ' +
      'application key, or e-mail address and password.',
    headers: ['X-Sign-In-Code'],
    errors: {
      invalid_client: 'The credentials are wrong or missing, or the second factor is.',
      too_many_requests: 'Too many attempts with wrong credentials.',
    },
  }),
  revokeToken: define('GET /oauth/revoke', 'none', anyReply, { ...revocation, query: token }),
  revokePostedToken: define('POST /oauth/revoke', 'none', anyReply, {
    ...revocation,
    summary: 'Revoke a token that is in the body',
    request: token,
  }),
} satisfies Record<string, Operation>

/**
 * The route table's REST operations with a bearer token (docs/reference/interface.md 4.2 to 4.4,
 * and extensions).
 */
export const operations = {
  ...messageOperations,
  ...receivedTextOperations,
  ...messageStateOperations,
  ...subscriptionOperations,
  ...userOperations,
  ...phoneOperations,
  ...accountOperations,
  ...contactOperations,
  ...resourceOperations,
  ...peopleOperations,
  ...auditOperations,
} satisfies Record<string, Operation>

export type OperationId = keyof typeof operations
export type PublicOperationId = keyof typeof publicOperations
