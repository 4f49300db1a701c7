import type { Account } from '../../../domain/account/account.js'
import { type Invitation, type Person, roles } from '../../../domain/account/person.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Button, ButtonLink, Form } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'

export const peoplePath = '/settings/people'

export const peopleParent = { path: peoplePath, label: 'People' }

export function getSecondFactorPath(id: string): string {
  return `${peoplePath}/${id}/second-factor`
}

interface PeopleTableProps {
  readonly people: readonly Person[]
  readonly account: Account
  /** Identifier of the person who looks at the list; undefined: the account itself. */
  readonly ownId: string | undefined
  readonly csrf: string
}

export function PeopleTable({ people, account, ownId, csrf }: PeopleTableProps): Html {
  return (
    <Table
      caption="People"
      head={[
        'E-mail address',
        'Role',
        'Second factor',
        'Last sign-in',
        'Joined',
        <ActionsHeader />,
      ]}
      rows={[
        [account.email, 'admin (the account itself)', formatFactor(account), '–', '–', ''],
        ...people.map(person => [
          person.email,
          <RoleForm person={person} csrf={csrf} />,
          <FactorState person={person} isOwn={person.id === ownId} />,
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

function formatFactor({ secondFactor }: Pick<Person, 'secondFactor'>): string {
  return secondFactor === undefined ? 'off' : 'on'
}

function FactorState({ person, isOwn }: { person: Person; isOwn: boolean }): Html {
  const { id, email, secondFactor } = person
  const href = getSecondFactorPath(encodeURIComponent(id))
  const title = `Reset the second factor of ${email}`
  return (
    <span class="acts">
      {formatFactor(person)}
      {secondFactor && !isOwn && <ButtonLink href={href} label="Reset" title={title} />}
    </span>
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
