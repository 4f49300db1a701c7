// The people of an account and their invitations.
// - people-page: invites people, changes their roles, removes them
// - people-lists: the lists of that page
// - second-factor-reset: turns off the second factor of somebody who has lost it
// - invitation-page: the page of an invitation's link, without a session
// The services `people/` do the work and check the rules.
import { type Role, roles } from '../../../domain/account/person.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import type { CreatedInvitation } from '../../services/people/invitation-service.js'
import { checkRole } from '../../services/people/person-service.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, Button, ButtonLink, Form, FormLink } from '../components/form.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { Time } from '../components/time.js'
import { askForPassword } from '../page/confirmed-action.js'
import { toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import type { SecretContext } from '../page/shown-secrets.js'
import { InvitationTable, PeopleTable, peopleParent, peoplePath } from './people-lists.js'
import { createSecondFactorResetPages } from './second-factor-reset.js'

type Context = SecretContext & Pick<ServerContext, 'people' | 'invitations' | 'getBaseUrl'>

const roleTexts: Readonly<Record<Role, string>> = {
  reader: 'Reader: reads messages, lists, phones and statistics',
  sender: 'Sender: also sends and changes messages, contacts and the Do Not Text list',
  admin: 'Admin: can do everything in the account',
}

/** The page of the people of an account; only admins can open it. */
export function createPeoplePages(context: Context): Pages {
  const { people, invitations } = context
  return {
    [peoplePath]: {
      GET: async request => await showPeoplePage(request, context),
      POST: async request => await invite(request, context),
    },
    [`${peoplePath}/:id/role`]: {
      POST: createAction(async (request, id) => await changeRole(request, context, id)),
    },
    [`${peoplePath}/:id/remove`]: {
      POST: createAction(async ({ account }, id) => {
        const { email } = await people.remove(account, id)
        return showDone(`${email} is removed and signed out.`)
      }),
    },
    ...createSecondFactorResetPages(context),
    [`${peoplePath}/invitations/:id/revoke`]: {
      POST: createAction(async ({ account }, id) => {
        const { email } = await invitations.revoke(account, id)
        return showDone(`The invitation for ${email} no longer works.`)
      }),
    },
  }
}

function createAction(work: (request: PageRequest, id: string) => Promise<PageResult>) {
  return async (request: PageRequest): Promise<PageResult> => {
    try {
      return await work(request, getParam(request.http, 'id'))
    } catch (error) {
      if (isRelayError(error, 'not_found') || isRelayError(error, 'invalid_parameter'))
        return redirectWithError(peoplePath, error.message)
      throw error
    }
  }
}

function showDone(text: string): PageResult {
  return redirectWithSuccess(peoplePath, text)
}

/** A new admin can see the keys, so the session alone is not enough to make one. */
async function changeRole(request: PageRequest, context: Context, id: string): Promise<PageResult> {
  const { account } = request
  const role = checkRole(getField(request, 'role'))
  const { email, role: previous } = await context.people.get(account, id)
  if (role === 'admin' && previous !== 'admin') {
    const page = { ...adminPage, title: `Give ${email} the role admin`, label: 'Change the role' }
    const asked = await askForPassword(context, request, page, { role })
    if (asked !== undefined) return asked
  }
  await context.people.setRole(account, id, role)
  return showDone(`${email} has the role ${role} now.`)
}

const adminPage = {
  variant: 'primary',
  consequence: 'An admin can do everything in the account, and sees the keys.',
  parent: peopleParent,
  current: peoplePath,
} as const

async function invite(request: PageRequest, context: Context): Promise<PageResult> {
  const { http, account, caller } = request
  const base = context.getBaseUrl(http)
  try {
    const { email, role } = await context.invitations.check(account, {
      email: getField(request, 'email'),
      role: getField(request, 'role'),
    })
    if (role === 'admin') {
      const page = { ...adminPage, title: `Invite ${email} as an admin`, label: 'Invite' }
      const asked = await askForPassword(context, request, page, { email, role })
      if (asked !== undefined) return asked
    }
    const created = await context.invitations.create(account, {
      email,
      role,
      by: getSignerEmail(caller),
      formatLink: secret => `${base}/invitation/${secret}`,
    })
    return showInvitedPage(created)
  } catch (error) {
    const [text = ''] = Object.values(toFieldErrors(error))
    return await showPeoplePage(request, context, text)
  }
}

function showInvitedPage({ invitation, link, isMailed }: CreatedInvitation): PageResult {
  const { email, role, expiresAt } = invitation
  const body = (
    <Card title="The invitation" id="once" isOnce>
      <CardBody>
        {isMailed === true && <p>The link was sent to {email}.</p>}
        {isMailed === false && <p>No mail was sent to {email}. Send the link yourself.</p>}
        <p>
          <strong>Copy the link now. This page is shown for ten minutes.</strong> The link works
          once, for the role {role}, until <Time at={expiresAt} />. Anyone who has it can join this
          account.
        </p>
        <Secret id="invitation-link" label={`Link for ${email}`} value={link} />
        <Actions>
          <ButtonLink href={peoplePath} label="Back to the people" />
        </Actions>
      </CardBody>
    </Card>
  )
  return showPage({
    title: `Invitation for ${email}`,
    current: peoplePath,
    parent: peopleParent,
    body,
  })
}

async function showPeoplePage(
  request: PageRequest,
  { people, invitations }: Context,
  error?: string,
): Promise<PageResult> {
  const { account, caller, csrf } = request
  const [found, invited] = await Promise.all([people.list(account), invitations.list(account)])
  const body = (
    <>
      <Card label="People">
        <PeopleTable people={found} account={account} ownId={caller.person?.id} csrf={csrf} />
      </Card>
      {invited.length > 0 && (
        <Card title="Invitations">
          <InvitationTable invitations={invited} csrf={csrf} />
        </Card>
      )}
      <InviteCard request={request} error={error} />
    </>
  )
  const lead = 'Everybody signs in with an e-mail address and password of their own.'
  const status = error === undefined ? 200 : 400
  const actions = <FormLink id="invite-somebody" label="Invite somebody" />
  return showPage({ title: 'People', current: peoplePath, lead, actions, body, status })
}

function InviteCard(props: { request: PageRequest; error: string | undefined }): Html {
  const { request, error } = props
  return (
    <Card title="Invite somebody">
      <Form action={peoplePath} csrf={request.csrf}>
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          value={getField(request, 'email')}
          autocomplete="off"
          required
          error={error}
        />
        <Select
          label="Role"
          name="role"
          value={getField(request, 'role') || 'reader'}
          options={roles.map(role => [role, roleTexts[role]] as const)}
        />
        <Actions>
          <Button label="Invite" />
        </Actions>
      </Form>
    </Card>
  )
}
