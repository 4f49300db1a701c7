import { computed, created, defineResource, key, type ReplyOf } from './resource.js'

/** An address whose requests become texts (docs/reference/interface.md 1). */
export const secretUrl = defineResource({
  name: 'url',
  plural: 'urls',
  title: 'secret URL',
  schema: 'SecretUrl',
  section: 'Secret URLs',
  ...{ role: 'admin', readRole: 'admin', hasLinks: true },
  listAbout: 'The secret URLs.',
  operations: ['list', 'create', 'delete'],
  removal: 'revoke',
  notes: { create: 'Only this reply has the whole address.' },
  fields: {
    name: computed({ type: 'text', optional: true, about: 'A name for people.' }),
    destination: computed({
      ...{ type: 'texts', optional: true, stored: 'destinations' },
      about: 'The recipients of every use; null if each request names its own.',
    }),
    message: computed({
      ...{ type: 'text', optional: true, stored: 'template' },
      about:
        'The text of every use, with `{name}` for a field of the request; null if each request ' +
        'has its own.',
    }),
    max_length: computed({
      ...{ type: 'whole', unit: 'characters', about: 'The most characters of a text.' },
    }),
    rate: computed({
      ...{ type: 'text', optional: true },
      about: 'The most uses, such as `10/h`; null: unlimited.',
    }),
    expires_on: computed({
      ...{ type: 'time', optional: true, stored: 'expiresAt', about: 'When it ends; null: never.' },
    }),
    confirm: computed({
      ...{ type: 'boolean', about: 'Whether GET only shows a page that asks for confirmation.' },
    }),
    state: computed({ type: 'text', about: '`active` or `expired`.' }),
    created_on: created(),
    used_count: computed({ type: 'whole', about: 'How often it was used.' }),
    last_used_on: computed({ type: 'time', optional: true, about: 'When it was last used.' }),
    url: key({ about: 'The whole address; only in the reply of POST, this once.' }),
  },
})

export type SecretUrlFields = ReplyOf<typeof secretUrl>
