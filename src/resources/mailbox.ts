import { limits } from '../domain/limits.js'
import {
  choice,
  computed,
  created,
  defineResource,
  type InputOf,
  integer,
  key,
  list,
  type RecordOf,
  type ReplyOf,
  text,
} from './resource.js'

/** An e-mail address whose mail becomes messages (docs/reference/interface.md 1). */
export const mailbox = defineResource({
  name: 'mailbox',
  plural: 'mailboxes',
  section: 'Mailboxes',
  role: 'admin',
  limit: 'mailboxes',
  readRole: 'admin',
  hasLinks: true,
  operations: ['list', 'create', 'delete'],
  notes: { create: 'Only this reply has the key and the whole address.' },
  fields: {
    name: text({
      ...{ min: 0, max: limits.mailboxName, default: '' },
      about: 'A name for people.',
      hint: 'Helps you recognize the mailbox.',
      flag: { about: 'Name of the mailbox, for lists.', env: 'MAILBOX_NAME', value: 'TEXT' },
    }),
    address: computed({
      type: 'text',
      about:
        "The address, with `<number>` for the recipient's number, and `…` for the rest of the key.",
    }),
    key: key({ about: 'The key in the address; only in the reply of POST, this once.' }),
    alias: text({
      ...{ min: 1, max: 64, optional: true, unique: 'relay', beside: true },
      about: 'The first part of the address.',
      input: 'The first part of the address, 1 to 24 letters, digits and hyphens.',
      hint: 'A name that is not secret; it requires To and From. Empty: the address is secret.',
      flag: {
        about: 'Part before the @, in place of a key; needs --to, --from.',
        value: 'NAME',
        dependsOn: ['to', 'from'],
      },
    }),
    destinations: list({
      ...{ count: limits.mailboxList, max: limits.destination, label: 'To' },
      about: 'The recipients of every mail.',
      input: 'The recipients of every mail. Empty: the address of a mail names the recipient.',
      hint: 'Numbers, separated by commas. Empty: the number is part of the address.',
      flag: {
        ...{ name: 'to', env: 'MAILBOX_TO', value: 'NUMBER' },
        about: 'Recipient; can be repeated.',
      },
    }),
    senders: list({
      ...{ count: limits.mailboxList, max: 254, label: 'From', beside: true },
      about: 'Who may send to it; empty: everybody.',
      input: 'Who may send to it: addresses, or domains such as `@example.com`. Empty: everybody.',
      hint:
        'Allowed senders: addresses and @domains, separated by commas; * allows all. ' +
        'Empty: anyone who knows the address.',
      flag: {
        ...{ name: 'from', env: 'MAILBOX_FROM', value: 'SENDER', defaultHelp: 'with a key, *' },
        about: 'Accepted sender: address, @domain or *; can be repeated.',
      },
    }),
    subject: choice({
      options: ['never', 'first'],
      labels: ['Ignore it', 'Put it before the text'],
      default: 'never',
      about: 'Whether the subject is part of the text: `never` or `first`.',
      input: 'Whether the subject of a mail is the `first` line of the text, or `never`.',
      flag: { about: 'Omit the subject, or use it as the first line.', value: 'never|first' },
    }),
    hourly_limit: integer({
      ...{ min: 1, max: limits.mailboxHourly, optional: true, stored: 'hourly', beside: true },
      about: 'The most texts in an hour; null: unlimited.',
      input: 'The most texts in an hour. Default: unlimited.',
      label: 'Maximum texts an hour',
      hint: 'Empty: no limit.',
      flag: {
        ...{ name: 'limit', value: 'COUNT', defaultHelp: 'no limit' },
        about: 'Maximum messages an hour; other mail is deferred.',
      },
    }),
    max_length: integer({
      ...{ min: 1, max: limits.text, default: limits.text, stored: 'length', beside: true },
      ...{ unit: 'characters', about: 'The most characters of a text.' },
      input: 'The most characters of a text; the rest of a mail is cut off.',
      label: 'Maximum characters of a text',
      hint: 'Longer texts are truncated. Empty: 1,600.',
      flag: { about: 'Maximum characters; longer mail is truncated.', value: 'COUNT' },
    }),
    created_on: created(),
    receiving: computed({ type: 'boolean', about: 'Whether the relay takes mail.' }),
  },
  page: {
    ...{ path: '/mailboxes', title: 'E-mail to text', icon: 'mail' },
    lead: 'A mailbox is an e-mail address. Mail to it becomes texts.',
    columns: ['name', 'address', 'destinations', 'senders', 'limits', 'created_on'],
    emptyTitle: 'No mailboxes yet',
    empty: 'Create one below. Mail to its address becomes texts.',
    deleted: 'The mailbox is deleted. Mail to its address is rejected.',
  },
  commands: {
    create: {
      summary: 'Create an e-mail address whose mail becomes messages.',
      about:
        'The address has a secret key: mail to <number>.<key>@… becomes a message to that ' +
        'number. With --to, mail to <key>@… becomes a message to each of these numbers. ' +
        'Senders can be forged: let the mail server in front check SPF and DKIM.',
      examples: [
        ['Create an address with a key.', 'mailbox create --from ann@example.com --limit 30'],
        [
          'Create a public address with fixed recipients and senders.',
          'mailbox create --alias alerts --to +12025550123 --from @example.com',
        ],
      ],
    },
    list: {
      summary: 'List the mailboxes of the account.',
      examples: [['List mailboxes as JSON.', 'mailbox list --json']],
    },
    delete: {
      summary: 'Delete a mailbox; later mail to it is rejected.',
      examples: [['Delete a mailbox.', 'mailbox delete ID']],
    },
  },
})

/**
 * A mailbox has an alias in lower case, or the SHA-256 of its key, base64url, and the first
 * characters of the key. Its senders are in lower case.
 */
export type Mailbox = RecordOf<typeof mailbox>
export type MailboxFields = ReplyOf<typeof mailbox>
export type MailboxInput = InputOf<typeof mailbox>
