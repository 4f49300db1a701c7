import * as z from 'zod/mini'
import type { ContactGroup } from '../../domain/contact/contact.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { describe, utcTime, whole } from '../schema/describe.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { groupName } from './contact-schema.js'

const groupFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'Identifies the group in `/api/1/group/<id>`.'),
      name: describe(z.string(), 'The name, unique in the account.'),
      members: describe(z.number(), 'Contacts in the group.', whole),
      created_on: describe(z.string(), 'When it was created.', utcTime),
    }),
    'A group of contacts.',
    { id: 'Group' },
  ),
)

export const groupReply = z.lazy(() => z.object({ group: groupFields }))

export const groupListReply = z.lazy(() =>
  z.object({
    groups: describe(z.array(groupReply), 'The groups, in order of creation.'),
    links: pageLinks,
  }),
)

export const groupIdReply = z.lazy(() =>
  z.object({
    group: describe(z.object({ id: describe(z.string(), 'The id of the group.') }), 'The group.'),
  }),
)

export const groupEdit = z.lazy(() =>
  z.object({ name: describe(groupName, 'The name, unique in the account.') }),
)

export type GroupFields = z.infer<typeof groupFields>

export function toGroupFields({ id, name, createdAt }: ContactGroup, members: number): GroupFields {
  return { id, name, members, created_on: formatDateTime(createdAt) }
}
