import type { Account } from '../../../domain/account/account.js'
import type { Person } from '../../../domain/account/person.js'
import type { SecondFactor } from '../../../domain/account/second-factor.js'
import { RelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { checkIsOther } from '../../services/people/person-service.js'
import { type ConfirmedAction, createConfirmedHandlers } from '../page/confirmed-action.js'
import { type Pages, redirectWithSuccess } from '../page/page.js'
import type { ConfirmationContext } from '../page/page-guards.js'
import { getSecondFactorPath, peopleParent, peoplePath } from './people-lists.js'

type Context = ConfirmationContext & Pick<ServerContext, 'people'>

/** The page on which an admin turns off the second factor of a person who has lost it. */
export function createSecondFactorResetPages(context: Context): Pages {
  const { people } = context
  return {
    [getSecondFactorPath(':id')]: createConfirmedHandlers(context, async request => {
      const { account, caller, http } = request
      const person = await people.get(account, getParam(http, 'id'))
      checkIsOther(person.id, caller.person)
      return createReset(people, account, person)
    }),
  }
}

function createReset(
  people: Context['people'],
  account: Account,
  { id, email, secondFactor: factor }: Person,
): ConfirmedAction {
  if (factor === undefined)
    throw new RelayError('invalid_state', `${email} has no second factor.`, {
      hint: 'The password alone signs in.',
    })
  return {
    title: `Reset the second factor of ${email}`,
    label: 'Reset the second factor',
    consequence:
      'The password alone then signs in, until the person sets up a second factor again. The ' +
      'sessions and User Login tokens of the person end. Make sure that it is the person who asks.',
    version: describeFactor(factor),
    parent: peopleParent,
    current: peoplePath,
    run: async () => {
      await people.resetSecondFactor(account, id)
      const text = `${email} is signed out, and signs in with the password alone.`
      return redirectWithSuccess(peoplePath, text)
    },
  }
}

/** Changes with a new app or passkey, but not when the person uses one of them. */
function describeFactor({ totp, passkeys = [] }: SecondFactor): string {
  return [totp?.createdAt ?? 0, ...passkeys.map(({ id }) => id)].join(' ')
}
