import {
  contactCreate,
  contactEdit,
  contactImport,
  contactImportReply,
  contactListReply,
  contactNumberReply,
  contactQuery,
  contactReply,
} from '../contact/contact-schema.js'
import { define, type Operation } from './define-operation.js'

const section = 'Contacts, groups and templates'
const tooMany = { invalid_state: 'The account has as many contacts as it may have.' }
const missing = {
  not_found: 'The account has no contact of this number.',
  invalid_parameter: 'The path has no number that can be dialled.',
}
const missingGroup = { not_found: 'The account has no such group.' }

export const contactOperations = {
  listContacts: define('GET /contact', 'full', contactListReply, {
    section,
    summary: 'List contacts',
    description: 'In order of their names, without letter case and accents.',
    query: contactQuery,
    errors: missingGroup,
  }),
  addContact: define('POST /contact', 'full', contactReply, {
    role: 'sender',
    section,
    summary: 'Add a contact',
    description: 'A number has at most one contact.',
    request: contactCreate,
    errors: tooMany,
  }),
  importContacts: define('POST /contact/import', 'full', contactImportReply, {
    role: 'sender',
    section,
    summary: 'Add and change several contacts',
    description:
      'A contact that exists gets the name and the fields that are not empty, and the groups in ' +
      'addition to its own. One invalid contact stops the whole import, unless `skip_invalid` is ' +
      'true.',
    request: contactImport,
    errors: tooMany,
  }),
  getContact: define('GET /contact/:number', 'full', contactReply, {
    section,
    summary: 'Get a contact',
    isTagged: true,
    errors: missing,
  }),
  editContact: define('PATCH /contact/:number', 'full', contactReply, {
    role: 'sender',
    section,
    summary: 'Change a contact',
    description: 'At least one field is required.',
    headers: ['If-Match'],
    isTagged: true,
    request: contactEdit,
    errors: missing,
  }),
  deleteContact: define('DELETE /contact/:number', 'full', contactNumberReply, {
    role: 'sender',
    section,
    summary: 'Delete a contact',
    headers: ['If-Match'],
    errors: missing,
  }),
} satisfies Record<string, Operation>
