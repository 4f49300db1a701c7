import * as z from 'zod/mini'
import { type Invitation, type Person, roles } from '../../domain/account/person.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { describe, utcTime } from '../schema/describe.js'
import { links } from '../schema/link-schema.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { textField } from '../schema/schema-fields.js'

const roleField = z.lazy(() =>
  describe(
    z.enum(roles, { error: `must be one of ${roles.join(', ')}` }),
    'What the person can do in the account.',
  ),
)

const personFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'Identifies the person in `/api/1/person/<id>`.'),
      email: describe(z.string(), 'The e-mail address with which the person signs in.'),
      role: roleField,
      second_factor: describe(z.boolean(), 'Whether the person has a second factor.'),
      created_on: describe(z.string(), 'When the person accepted the invitation.', utcTime),
      last_sign_in_on: describe(
        z.nullable(z.string()),
        'When the person signed in last; null: never.',
        utcTime,
      ),
    }),
    'A person of the account.',
    { id: 'Person' },
  ),
)

export const personReply = z.lazy(() =>
  z.object({ person: personFields, links: z.optional(links) }),
)

export const personListReply = z.lazy(() =>
  z.object({
    people: describe(z.array(personReply), 'The people, in the order in which they joined.'),
    links: pageLinks,
  }),
)

export const personEdit = z.lazy(() => z.object({ role: roleField }))

export const personIdReply = z.lazy(() =>
  z.object({
    person: describe(
      z.object({ id: describe(z.string(), 'The id of the person.') }),
      'The person.',
    ),
  }),
)

const invitationFields = z.lazy(() => describe(createInvitationFields(), 'An invitation.'))

/** A reply with one invitation; only that of POST /invitation has the link (extension). */
export const invitationReply = z.lazy(() =>
  z.object({
    invitation: describe(
      z.extend(createInvitationFields(), {
        url: describe(z.string(), 'The link, which works once; only in this reply.'),
        mailed: describe(
          z.nullable(z.boolean()),
          'Whether the link was sent to the e-mail address; null if the relay sends no mail.',
        ),
      }),
      'The invitation.',
    ),
    links: z.optional(links),
  }),
)

export const invitationListReply = z.lazy(() =>
  z.object({
    invitations: describe(
      z.array(z.object({ invitation: invitationFields, links: z.optional(links) })),
      'The invitations that can still be accepted, oldest first.',
    ),
    links: pageLinks,
  }),
)

export const invitationIdReply = z.lazy(() =>
  z.object({
    invitation: describe(
      z.object({ id: describe(z.string(), 'The id of the invitation.') }),
      'The invitation.',
    ),
  }),
)

export const invitationCreate = z.lazy(() =>
  z.object({
    email: describe(textField(1, 254), 'The e-mail address of the person to invite.'),
    role: roleField,
  }),
)

export type PersonFields = z.infer<typeof personFields>
export type PersonReply = z.infer<typeof personReply>
export type InvitationReply = z.infer<typeof invitationReply>
export type InvitationFields = z.infer<typeof invitationFields>
export type CreatedInvitationFields = InvitationReply['invitation']

function createInvitationFields() {
  return z.object({
    id: describe(z.string(), 'Identifies the invitation in `/api/1/invitation/<id>`.'),
    email: describe(z.string(), 'The e-mail address of the invited person.'),
    role: roleField,
    by: describe(z.nullable(z.string()), 'Who invites; null: the operator of the relay.'),
    created_on: describe(z.string(), 'When the invitation was made.', utcTime),
    expires_on: describe(z.string(), 'When the link stops working.', utcTime),
  })
}

export function toPersonFields(person: Person): PersonFields {
  const { id, email, role, secondFactor, createdAt, lastSignInAt } = person
  return {
    ...{ id, email, role, second_factor: secondFactor !== undefined },
    created_on: formatDateTime(createdAt),
    last_sign_in_on: lastSignInAt === undefined ? null : formatDateTime(lastSignInAt),
  }
}

export function toInvitationFields(invitation: Invitation): InvitationFields {
  const { id, email, role, by = null, createdAt, expiresAt } = invitation
  const created_on = formatDateTime(createdAt)
  return { id, email, role, by, created_on, expires_on: formatDateTime(expiresAt) }
}
