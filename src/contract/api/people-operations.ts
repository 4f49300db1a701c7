import { accountLimitsEdit, accountLimitsReply } from '../account/account-limit-schema.js'
import {
  invitationCreate,
  invitationIdReply,
  invitationListReply,
  invitationReply,
  personEdit,
  personIdReply,
  personListReply,
  personReply,
} from '../account/person-schema.js'
import { pageQuery } from '../schema/list-page-schema.js'
import { define, type Operation } from './define-operation.js'

const people = 'People and roles'
const limits = 'Limits of an account'
const notPerson = { not_found: 'The account has no such person.' }
const ofOwner = {
  forbidden: 'The account is not the owner.',
  not_an_account: 'There is no account with this e-mail address.',
}

export const peopleOperations = {
  getLimits: define('GET /user/limits', 'full', accountLimitsReply, {
    section: limits,
    summary: 'Get the limits of the account, and their use',
  }),
  getAccountLimits: define('GET /account/:email/limits', 'full', accountLimitsReply, {
    role: 'admin',
    section: limits,
    summary: 'Get the limits of any account, and their use',
    description: 'Only for the owner.',
    isTagged: true,
    errors: ofOwner,
  }),
  editAccountLimits: define('PATCH /account/:email/limits', 'full', accountLimitsReply, {
    section: limits,
    summary: 'Change limits of any account',
    description:
      'Only for the owner. At least one field is required; null removes one that was set.',
    headers: ['If-Match'],
    isTagged: true,
    request: accountLimitsEdit,
    errors: ofOwner,
  }),
  listPeople: define('GET /person', 'full', personListReply, {
    role: 'admin',
    section: people,
    summary: 'List the people of the account',
    query: pageQuery(),
  }),
  editPerson: define('PATCH /person/:id', 'login', personReply, {
    section: people,
    summary: 'Change the role of a person',
    request: personEdit,
    errors: notPerson,
  }),
  removePerson: define('DELETE /person/:id', 'login', personIdReply, {
    section: people,
    summary: 'Remove a person',
    description: "Ends the person's sessions and tokens.",
    errors: notPerson,
  }),
  resetSecondFactor: define('DELETE /person/:id/second-factor', 'login', personReply, {
    section: people,
    summary: 'Turn off the second factor of a person who has lost it',
    description: "Ends the person's sessions and tokens. Make sure that it is the person who asks.",
    errors: { ...notPerson, invalid_state: 'It is your own second factor.' },
  }),
  listInvitations: define('GET /invitation', 'full', invitationListReply, {
    role: 'admin',
    section: people,
    summary: 'List the invitations that can still be accepted',
    query: pageQuery(),
  }),
  createInvitation: define('POST /invitation', 'login', invitationReply, {
    section: people,
    summary: 'Invite a person',
    description: 'Only this reply has the link. It replaces an earlier invitation of the address.',
    request: invitationCreate,
    errors: { invalid_state: 'The account has as many people or invitations as it may have.' },
  }),
  revokeInvitation: define('DELETE /invitation/:id', 'login', invitationIdReply, {
    section: people,
    summary: 'Revoke an invitation',
    errors: { not_found: 'The account has no such invitation.' },
  }),
} satisfies Record<string, Operation>
