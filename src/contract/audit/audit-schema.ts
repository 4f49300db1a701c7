// The audit log, over the API.
// - GET /audit: a page of entries, the newest first, with filters
// - GET /audit/<id>: one entry
// An account sees its own entries; that of the owner sees those of all accounts. The command
// `audit list` and the dashboard's page have the same fields.
import * as z from 'zod/mini'
import { type AuditEntry, auditActorKinds } from '../../domain/audit/audit-entry.js'
import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { describe, utcTime } from '../schema/describe.js'
import { pageLinks } from '../schema/list-page-schema.js'
import {
  dateTimeField,
  idField,
  integerField,
  queryObject,
  textField,
} from '../schema/schema-fields.js'

const actorFields = z.lazy(() =>
  z.object({
    kind: describe(
      z.enum(auditActorKinds),
      '`person` signs in, `key` is a program or phone, `invitation` has the link of one, ' +
        '`administration` has access to the data of the relay.',
    ),
    id: describe(z.optional(z.string()), 'The id of the person, or of the account itself.'),
    name: describe(z.optional(z.string()), 'The e-mail address, or the kind of the key.'),
  }),
)

const targetFields = z.lazy(() =>
  z.object({
    kind: describe(z.string(), 'What it is, such as `subscription`.'),
    id: describe(z.optional(z.string()), 'Its id.'),
    name: describe(z.optional(z.string()), 'Its name or e-mail address.'),
  }),
)

const auditFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'Identifies the entry in `/api/1/audit/<id>`.'),
      at: describe(z.string(), 'When it was done.', utcTime),
      account: describe(
        z.string(),
        'The id of the account that it belongs to; `*`: the whole relay.',
      ),
      action: describe(z.string(), 'The resource and what happened to it: `group.create`.'),
      refused: describe(z.boolean(), 'Whether a sign-in was refused after many wrong ones.'),
      actor: describe(actorFields, 'Who did it.'),
      target: describe(z.optional(targetFields), 'What it was done to.'),
      detail: describe(z.optional(z.string()), 'A few words on it, such as the changed fields.'),
      address: describe(z.optional(z.string()), 'The IP address of the client.'),
      device: describe(z.optional(z.string()), 'The browser or program of the client.'),
      request: describe(z.optional(z.string()), 'The `X-Request-Id` of the request.'),
    }),
    'An entry of the audit log. It has no secret, no text of a message and no phone number.',
    { id: 'AuditEntry' },
  ),
)

export const auditReply = z.lazy(() => z.object({ entry: auditFields }))

export const auditListReply = z.lazy(() =>
  z.object({
    audit: describe(z.array(auditReply), 'The entries, newest first.'),
    links: pageLinks,
  }),
)

export const auditQuery = z.lazy(() =>
  queryObject({
    count: describe(
      z._default(integerField(1, limits.listMax), limits.listDefault),
      'The most entries of the reply.',
    ),
    before: describe(
      z.optional(idField('an entry of the audit log')),
      'Only entries older than the one with this id.',
    ),
    since: describe(z.optional(dateTimeField()), 'Only entries from this time on.'),
    until: describe(z.optional(dateTimeField()), 'Only entries before this time.'),
    action: describe(
      z.optional(textField(1, 64)),
      'Only this action, or all of a resource, such as `subscription`.',
    ),
    actor: describe(z.optional(textField(1, 254)), 'Only actors with these words, or this id.'),
    target: describe(z.optional(textField(1, 254)), 'Only targets with these words, or this id.'),
    address: describe(z.optional(textField(1, 64)), 'Only requests of this IP address.'),
    account: describe(
      z.optional(textField(1, 254)),
      'Only for the owner: entries of the account with this id or e-mail address. Default: all.',
    ),
  }),
)

export type AuditFields = z.infer<typeof auditFields>

export function toAuditFields(entry: AuditEntry): AuditFields {
  const { id, at, account, action, actor, target, detail, refused = false } = entry
  const { address, device, request } = entry
  return {
    ...{ id, at: formatDateTime(at), account, action, refused, actor },
    ...(target && { target }),
    ...(detail === undefined ? {} : { detail }),
    ...(address === undefined ? {} : { address }),
    ...(device === undefined ? {} : { device }),
    ...(request === undefined ? {} : { request }),
  }
}
