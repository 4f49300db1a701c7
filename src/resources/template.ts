import { limits } from '../domain/limits.js'
import { created, defineResource, type RecordOf, type ReplyOf, text } from './resource.js'

export const template = defineResource({
  name: 'template',
  plural: 'templates',
  section: 'Contacts, groups and templates',
  role: 'sender',
  limit: 'templates',
  operations: ['list', 'create', 'get', 'edit', 'delete'],
  fields: {
    name: text({
      ...{ min: 1, max: limits.contactName, isLine: true, unique: 'account' },
      about: 'The name, unique in the account.',
      flag: { about: 'Name, unique in the account.', value: 'NAME' },
    }),
    text: text({
      ...{ min: 1, max: limits.text, isLong: true },
      about: 'The text with fields such as `{name}` or `{name|customer}`.',
      input:
        'The text: `{name}`, `{number}` or a field; `{name|customer}` has a text for contacts ' +
        'without it; `{{` is a brace.',
      hint:
        '{name}, {number} or the name of a field inserts what the contact has; ' +
        '{name|customer} has a text for contacts without it.',
      flag: { about: 'Text with fields.', value: 'TEXT' },
    }),
    created_on: created(),
  },
  page: {
    ...{ path: '/templates', title: 'Templates', icon: 'page' },
    lead: 'A template is a text with fields, such as {name}, which are filled for each contact.',
    columns: ['name', 'text'],
    emptyTitle: 'No templates yet',
    empty: 'A template is written once and sent to many contacts.',
    deleted: 'The template is deleted.',
  },
  commands: {
    create: {
      summary: 'Create a template: a text with fields of contacts.',
      about:
        '{name}, {number} or the name of a field stands for what a contact has; {name|customer} ' +
        'has a text for contacts without it.',
      examples: [
        [
          'Create a template and send it to a group.',
          'template create Late "Hi {name|there}, we are open late today." && ' +
            '<%= config.bin %> message send --group Customers --template Late',
        ],
      ],
    },
    list: {
      summary: 'List the templates of the account.',
      examples: [['List templates as JSON.', 'template list --json']],
    },
    delete: {
      summary: 'Delete a template.',
      examples: [['Delete a template.', 'template delete ID']],
    },
  },
})

export type MessageTemplate = RecordOf<typeof template>
export type TemplateFields = ReplyOf<typeof template>
