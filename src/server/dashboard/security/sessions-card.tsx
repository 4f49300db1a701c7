import { formatCount } from '../../../util/text/plural.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { SessionList, SessionView } from '../../services/sign-in/session-service.js'
import { Card, CardBody } from '../components/card.js'
import { ActionsHeader } from '../components/confirm-button.js'
import { ActionButton, Actions } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { type Pages, redirectWithSuccess } from '../page/page.js'
import { clearSessionCookie } from '../session/session.js'
import { securityPath, sessionsPath } from './security-paths.js'

type Context = Pick<ServerContext, 'sessions' | 'tokens' | 'isSecure'>

export function createSessionPages({ sessions, tokens, isSecure }: Context): Pages {
  return {
    [`${sessionsPath}/end-all`]: {
      POST: async ({ caller, http, response }) => {
        await tokens.endLogins(caller)
        clearSessionCookie(response, isSecure(http))
        return { seeOther: '/login' }
      },
    },
    [`${sessionsPath}/end-others`]: {
      POST: async ({ caller }) => {
        const count = await sessions.endOthers(caller)
        const text = count === 1 ? 'The other session has' : `The ${count} other sessions have`
        return redirectWithSuccess(securityPath, `${text} ended.`)
      },
    },
    [`${sessionsPath}/:id/end`]: {
      POST: async ({ caller, http }) => {
        await sessions.end(caller, getParam(http, 'id'))
        return redirectWithSuccess(securityPath, 'The session has ended.')
      },
    },
  }
}

/** Sessions that the page of the dashboard lists; "Sign out the others" ends all others. */
export const maxSessionsShown = 100

export function SessionsCard(props: SessionList & { readonly csrf: string }): Html {
  const { sessions, total, csrf } = props
  const more = total - sessions.length
  return (
    <Card title="Sessions">
      <Table
        caption="Sessions"
        head={['Device', 'Address', 'Signed in', 'Last active', <ActionsHeader />]}
        rows={sessions.map(session => [
          <Device session={session} />,
          session.address === '' ? 'unknown' : session.address,
          session.startedAt === undefined ? 'unknown' : <Time at={session.startedAt} />,
          <LastUse session={session} />,
          session.isCurrent ? null : <EndButton session={session} csrf={csrf} />,
        ])}
        empty="There are no sessions."
      />
      {more > 0 && (
        <CardBody>
          <p>
            These are the {sessions.length} sessions that end last.
            {` ${more === 1 ? 'There is one' : `There are ${formatCount(more)}`} more.`}
          </p>
        </CardBody>
      )}
      <EndSessions hasOthers={total > 1} csrf={csrf} />
    </Card>
  )
}

function EndSessions({ hasOthers, csrf }: { readonly hasOthers: boolean; csrf: string }): Html {
  return (
    <CardBody>
      <p class="quiet">
        A session ends after 12 hours without activity, and after 30 days in any case. An open page
        that only updates itself does not count. "Sign out everywhere" also ends this session and
        your User Login tokens. Keys stay valid, and other people stay signed in.
      </p>
      <Actions>
        {hasOthers && (
          <ActionButton
            action={`${sessionsPath}/end-others`}
            csrf={csrf}
            label="Sign out the others"
            variant="danger"
          />
        )}
        <ActionButton
          action={`${sessionsPath}/end-all`}
          csrf={csrf}
          label="Sign out everywhere"
          variant="danger"
        />
      </Actions>
    </CardBody>
  )
}

function Device({ session }: { readonly session: SessionView }): Html {
  const { device, isCurrent, isSession } = session
  return (
    <>
      {device}
      {isCurrent && <span class="sub">this session</span>}
      {!isSession && <span class="sub">User Login token of the API</span>}
    </>
  )
}

function LastUse({ session }: { readonly session: SessionView }): Html {
  const { isCurrent, usedAt } = session
  if (isCurrent) return <>now</>
  return usedAt === undefined ? <>in the last 12 hours</> : <Time at={usedAt} />
}

function EndButton({ session, csrf }: { readonly session: SessionView; csrf: string }): Html {
  const { id, device } = session
  return (
    <ActionButton
      action={`${sessionsPath}/${encodeURIComponent(id)}/end`}
      csrf={csrf}
      label="Sign out"
      title={`Sign out ${device}`}
      variant="secondary"
    />
  )
}
