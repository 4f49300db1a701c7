import type { ServerContext } from '../../http/server-context.js'
import { Card } from '../components/card.js'
import { type ConfirmationErrors, ConfirmationFields } from '../components/confirmation-fields.js'
import { ActionButton, Actions, Button, Form } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { getField, type PageHandler, type PageRequest, type PageResult } from './page.js'
import { type ConfirmationContext, confirmIdentity } from './page-guards.js'

const hideField = 'hide'

export type SecretContext = ConfirmationContext &
  Pick<ServerContext, 'passwordConfirmations' | 'audit'>

/** Whether a dashboard page shows its secrets, or why the entered password does not open it. */
export interface SecretState {
  readonly isShown: boolean
  readonly errors?: ConfirmationErrors
  /** HTTP status of the dashboard page with the secrets. @default 200 */
  readonly status?: number
}

/**
 * Handlers of a dashboard page whose secrets are shown only within ten minutes after the password
 * was entered again, on all such pages of the session: a session that somebody else has got hold of
 * is not enough. The browser loads the page again when the time is over.
 */
export function createSecretHandlers(
  context: SecretContext,
  show: (request: PageRequest, state: SecretState) => Promise<PageResult>,
): Readonly<Record<'GET' | 'POST', PageHandler>> {
  const { passwordConfirmations } = context
  return {
    GET: async request => {
      const until = await passwordConfirmations.find(request.session)
      if (until === undefined) return await show(request, { isShown: false })
      request.response.setHeader('Refresh', Math.ceil((until - request.now) / 1000))
      return await context.audit.actFor(
        request.origin,
        async () => await show(request, { isShown: true }),
      )
    },
    POST: async request => {
      const { session, http } = request
      if (getField(request, hideField) !== '') {
        await passwordConfirmations.remove(session)
        return { seeOther: http.path }
      }
      const failure = await confirmIdentity(context, request)
      if (failure !== undefined) return await show(request, { ...failure, isShown: false })
      await keepConfirmation(context, request)
      return { seeOther: http.path }
    },
  }
}

/** Records that the session of the dashboard has entered the password, for ten minutes. */
export async function keepConfirmation(
  { passwordConfirmations, audit }: Pick<ServerContext, 'passwordConfirmations' | 'audit'>,
  { session, account, origin, http }: PageRequest,
): Promise<void> {
  const confirmation = { action: 'person.confirm_password', detail: `for ${http.path}` } as const
  await audit.record(origin, { account: account.id, ...confirmation })
  await passwordConfirmations.add(session)
}

/** Whether the session of the dashboard has entered the password in the last ten minutes. */
export async function hasConfirmed(
  { passwordConfirmations }: Pick<ServerContext, 'passwordConfirmations'>,
  { session }: PageRequest,
): Promise<boolean> {
  return (await passwordConfirmations.find(session)) !== undefined
}

interface SecretFormProps {
  readonly request: PageRequest
  readonly label: string
  /** Title of the card. @default the label */
  readonly title?: string
  readonly state: SecretState
  /** What the dashboard does for ten minutes. @default it shows the secrets */
  readonly text?: string
}

const shownText = 'Shown for 10 minutes.'

export function ShowSecretsCard(props: SecretFormProps): Html {
  const { request, label, title = label, state, text = shownText } = props
  return (
    <Card title={title}>
      <Form action={request.http.path} csrf={request.csrf}>
        <p>{text}</p>
        <ConfirmationFields secondFactor={request.secondFactor} errors={state.errors} />
        <Actions>
          <Button label={label} icon="key" />
        </Actions>
      </Form>
    </Card>
  )
}

/** The dashboard button that hides shown secrets before their time is over. */
export function HideSecretsButton({
  request,
  label,
}: Pick<SecretFormProps, 'request' | 'label'>): Html {
  const { http, csrf } = request
  return <ActionButton action={http.path} csrf={csrf} label={label} fields={{ [hideField]: '1' }} />
}
