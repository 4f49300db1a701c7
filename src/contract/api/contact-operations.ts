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
import { groupEdit, groupIdReply, groupListReply, groupReply } from '../contact/group-schema.js'
import {
  templateCreate,
  templateEdit,
  templateIdReply,
  templateListReply,
  templateReply,
} from '../contact/template-schema.js'
import { pageQuery } from '../schema/list-page-schema.js'
import { define, type Operation } from './define-operation.js'

const section = 'Contacts, groups and templates'
const missing = {
  not_found: 'The account has no contact of this number.',
  invalid_parameter: 'The path has no number that can be dialled.',
}
const missingGroup = { not_found: 'The account has no such group.' }
const missingTemplate = { not_found: 'The account has no such template.' }

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
  listGroups: define('GET /group', 'full', groupListReply, {
    section,
    summary: 'List groups',
    query: pageQuery(),
  }),
  createGroup: define('POST /group', 'full', groupReply, {
    role: 'sender',
    section,
    summary: 'Create a group',
    request: groupEdit,
  }),
  getGroup: define('GET /group/:id', 'full', groupReply, {
    section,
    summary: 'Get a group',
    isTagged: true,
    errors: missingGroup,
  }),
  renameGroup: define('PATCH /group/:id', 'full', groupReply, {
    role: 'sender',
    section,
    summary: 'Rename a group',
    headers: ['If-Match'],
    isTagged: true,
    request: groupEdit,
    errors: missingGroup,
  }),
  deleteGroup: define('DELETE /group/:id', 'full', groupIdReply, {
    role: 'sender',
    section,
    summary: 'Delete a group',
    description: 'Its members are still contacts.',
    headers: ['If-Match'],
    errors: missingGroup,
  }),
  listTemplates: define('GET /template', 'full', templateListReply, {
    section,
    summary: 'List templates',
    query: pageQuery(),
  }),
  createTemplate: define('POST /template', 'full', templateReply, {
    role: 'sender',
    section,
    summary: 'Create a template',
    request: templateCreate,
  }),
  getTemplate: define('GET /template/:id', 'full', templateReply, {
    section,
    summary: 'Get a template',
    isTagged: true,
    errors: missingTemplate,
  }),
  editTemplate: define('PATCH /template/:id', 'full', templateReply, {
    role: 'sender',
    section,
    summary: 'Change a template',
    description: 'At least one field is required.',
    headers: ['If-Match'],
    isTagged: true,
    request: templateEdit,
    errors: missingTemplate,
  }),
  deleteTemplate: define('DELETE /template/:id', 'full', templateIdReply, {
    role: 'sender',
    section,
    summary: 'Delete a template',
    headers: ['If-Match'],
    errors: missingTemplate,
  }),
} satisfies Record<string, Operation>
