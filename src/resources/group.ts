import { limits } from '../domain/limits.js'
import { computed, created, defineResource, type RecordOf, type ReplyOf, text } from './resource.js'

export const group = defineResource({
  name: 'group',
  plural: 'groups',
  about: 'group of contacts',
  table: 'contact_group',
  section: 'Contacts, groups and templates',
  role: 'sender',
  limit: 'groups',
  operations: ['list', 'create', 'get', 'edit', 'delete'],
  summaries: { edit: 'Rename a group' },
  notes: { delete: 'Its members are still contacts.' },
  fields: {
    name: text({
      ...{ min: 1, max: limits.contactName, isLine: true, unique: 'account' },
      // Forms and tables have several names with commas.
      refused: { pattern: /[,;]/, error: 'must not have a comma or semicolon' },
      about: 'The name, unique in the account.',
      flag: { about: 'Name, unique in the account.', value: 'NAME' },
    }),
    members: computed({ type: 'whole', about: 'Contacts in the group.' }),
    created_on: created(),
  },
  page: {
    ...{ path: '/contacts/groups', title: 'Groups', icon: 'people' },
    lead: 'A text can be sent to all contacts of a group.',
    columns: ['name', 'members'],
    emptyTitle: 'No groups yet',
    empty: 'A group is created by its name, with a contact, or by a file with a column “groups”.',
    deleted: 'The group is deleted. Its members are still contacts.',
    parent: { path: '/contacts', label: 'Contacts' },
    edit: { label: 'Rename the group', button: 'Rename', done: 'renamed' },
  },
  commands: {
    create: {
      summary: 'Create a group of contacts.',
      examples: [
        [
          'Create a group and add a member.',
          'group create Customers && ' +
            '<%= config.bin %> group add-members Customers +12025550123',
        ],
      ],
    },
    list: {
      summary: 'List the groups of contacts.',
      examples: [['List groups as JSON.', 'group list --json']],
    },
    delete: {
      summary: 'Delete a group; its members are still contacts.',
      examples: [['Delete a group.', 'group delete ID']],
    },
  },
})

export type ContactGroup = RecordOf<typeof group>
export type GroupFields = ReplyOf<typeof group>
