import { invitation, person } from '../../resources/person.js'
import { accountLimitsEdit, accountLimitsReply } from '../account/account-limit-schema.js'
import { getSchemas } from '../schema/resource-schema.js'
import { define, type Operation } from './define-operation.js'
import { createOperations } from './resource-operations.js'

const limits = 'Limits of an account'
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
  ...createOperations(person),
  resetSecondFactor: define('DELETE /person/:id/second-factor', 'login', getSchemas(person).reply, {
    section: person.section,
    summary: 'Turn off the second factor of a person who has lost it',
    description: "Ends the person's sessions and tokens. Make sure that it is the person who asks.",
    errors: {
      not_found: 'The account has no such person.',
      invalid_state: 'It is your own second factor.',
    },
  }),
  ...createOperations(invitation),
} satisfies Record<string, Operation>
