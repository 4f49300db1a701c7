import { roles } from '../domain/account/person.js'
import { choice, computed, created, defineResource, type ReplyOf, text } from './resource.js'

const section = 'People and roles'

const role = choice({ options: roles, about: 'What the person can do in the account.' })

/** Who signs in to an account besides the account itself. */
export const person = defineResource({
  name: 'person',
  plural: 'people',
  about: 'person of the account',
  listAbout: 'The people, in the order in which they joined.',
  ...{ section, role: 'admin', readRole: 'admin', scope: 'login', hasLinks: true },
  operations: ['list', 'edit', 'delete'],
  removal: 'remove',
  summaries: { list: 'List the people of the account', edit: 'Change the role of a person' },
  notes: { delete: "Ends the person's sessions and tokens." },
  fields: {
    email: computed({ type: 'text', about: 'The e-mail address with which the person signs in.' }),
    role,
    second_factor: computed({
      ...{ type: 'boolean', stored: 'secondFactor' },
      about: 'Whether the person has a second factor.',
    }),
    created_on: created('When the person accepted the invitation.'),
    last_sign_in_on: computed({
      ...{ type: 'time', stored: 'lastSignInAt', optional: true },
      about: 'When the person signed in last; null: never.',
    }),
  },
})

export const invitation = defineResource({
  name: 'invitation',
  plural: 'invitations',
  listAbout: 'The invitations that can still be accepted, oldest first.',
  ...{ section, role: 'admin', readRole: 'admin', scope: 'login', hasLinks: true },
  operations: ['list', 'create', 'delete'],
  removal: 'revoke',
  limited: 'people or invitations',
  summaries: {
    list: 'List the invitations that can still be accepted',
    create: 'Invite a person',
  },
  notes: {
    create: 'Only this reply has the link. It replaces an earlier invitation of the address.',
  },
  fields: {
    email: text({
      ...{ min: 1, max: 254, about: 'The e-mail address of the invited person.' },
      input: 'The e-mail address of the person to invite.',
    }),
    role,
    by: computed({
      ...{ type: 'text', optional: true },
      about: 'Who invites; null: the operator of the relay.',
    }),
    created_on: created('When the invitation was made.'),
    expires_on: computed({
      ...{ type: 'time', stored: 'expiresAt', about: 'When the link stops working.' },
    }),
    url: computed({
      ...{ type: 'text', isOnce: true },
      about: 'The link, which works once; only in this reply.',
    }),
    mailed: computed({
      ...{ type: 'boolean', isOnce: true, optional: true },
      about: 'Whether the link was sent to the e-mail address; null if the relay sends no mail.',
    }),
  },
})

export type PersonFields = ReplyOf<typeof person>
export type InvitationFields = ReplyOf<typeof invitation>
