import { type Invitation, type Person, roles } from '../../../domain/account/person.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Button, Form } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'

export const peoplePath = '/settings/people'

interface PeopleTableProps {
  readonly people: readonly Person[]
  readonly accountEmail: string
  readonly csrf: string
}

/** The people of an account on the dashboard; the first row is the account's own address. */
export function PeopleTable({ people, accountEmail, csrf }: PeopleTableProps): Html {
  return (
    <Table
      caption="People"
      head={['E-mail address', 'Role', 'Last sign-in', 'Joined', <ActionsHeader />]}
      rows={[
        [accountEmail, 'admin (the account itself)', '', '', ''],
        ...people.map(person => [
          person.email,
          <RoleForm person={person} csrf={csrf} />,
          person.lastSignInAt === undefined ? 'never' : <Time at={person.lastSignInAt} />,
          <Time at={person.createdAt} />,
          <ConfirmButton
            action={`${peoplePath}/${encodeURIComponent(person.id)}/remove`}
            csrf={csrf}
            label="Remove"
            target={person.email}
          />,
        ]),
      ]}
      empty=""
    />
  )
}

function RoleForm({ person, csrf }: { readonly person: Person; readonly csrf: string }): Html {
  const { id, email, role } = person
  const action = `${peoplePath}/${encodeURIComponent(id)}/role`
  return (
    <Form action={action} csrf={csrf} class="acts" label={`Role of ${email}`}>
      <select name="role" aria-label={`Role of ${email}`}>
        {roles.map(each => (
          <option value={each} selected={each === role}>
            {each}
          </option>
        ))}
      </select>
      <Button label="Change" variant="secondary" title={`Change the role of ${email}`} />
    </Form>
  )
}

/** The invitations of an account that can still be accepted. */
export function InvitationTable(props: {
  readonly invitations: readonly Invitation[]
  readonly csrf: string
}): Html {
  return (
    <Table
      caption="Invitations"
      head={['E-mail address', 'Role', 'Invited by', 'Works until', <ActionsHeader />]}
      rows={props.invitations.map(({ id, email, role, by, expiresAt }) => [
        email,
        role,
        by ?? 'the operator',
        <Time at={expiresAt} />,
        <ConfirmButton
          action={`${peoplePath}/invitations/${encodeURIComponent(id)}/revoke`}
          csrf={props.csrf}
          label="Revoke"
          target={email}
        />,
      ])}
      empty=""
    />
  )
}
