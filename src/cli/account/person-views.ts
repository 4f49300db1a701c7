import type { InvitationFields, PersonFields } from '../../resources/person.js'
import type { Column } from '../output/column.js'
import { formatFields } from '../terminal/terminal-text.js'

type ShownPerson = PersonFields & { readonly account: string }

export const personColumns: readonly Column<ShownPerson>[] = [
  { name: 'email', isId: true, read: each => each.email },
  { name: 'role', read: each => each.role },
  { name: 'account', read: each => each.account },
  { name: 'second_factor', read: each => each.second_factor },
  { name: 'created_on', title: 'joined', isTime: true, read: each => each.created_on },
  {
    name: 'last_sign_in_on',
    title: 'last sign-in',
    isTime: true,
    empty: 'never',
    read: each => each.last_sign_in_on,
  },
  { name: 'id', isWide: true, read: each => each.id },
]

export function formatInvitation({
  email,
  role,
  expires_on,
  url,
  mailed,
}: Required<InvitationFields>) {
  const fields = formatFields({ email, role, expires: `${expires_on} UTC`, link: url })
  if (mailed === true) return `${fields}\nThe link was also sent to ${email}.`
  return mailed === null
    ? fields
    : `${fields}\nNo mail was sent to ${email}. Send the link yourself.`
}
