import { Card, CardBody } from '../components/card.js'
import { type ConfirmationErrors, ConfirmationFields } from '../components/confirmation-fields.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { type CopyTextProps, Secret } from '../components/secret.js'
import {
  getField,
  type PageHandler,
  type PageRequest,
  type PageResult,
  redirectWithError,
  showPage,
} from './page.js'
import { type ConfirmationContext, confirmIdentity } from './page-guards.js'

export interface ConfirmedAction {
  readonly title: string
  readonly label: string
  readonly consequence: string
  /**
   * Version of the confirmed action: changes with it, so that a form that is sent twice runs it
   * once.
   */
  readonly version: string
  /** An e-mail address that the person must also type. */
  readonly email?: string
  readonly backPath: string
  readonly current: string
  readonly run: () => Promise<PageResult>
}

type LoadAction = (request: PageRequest) => Promise<ConfirmedAction>

/**
 * Handlers of a page that confirms an action: GET asks for confirmation; POST checks it and runs
 * the action.
 */
export function createConfirmedHandlers(
  context: ConfirmationContext,
  loadAction: LoadAction,
): Readonly<Record<'GET' | 'POST', PageHandler>> {
  return {
    GET: async request => showConfirmPage(request, await loadAction(request), {}, 200),
    POST: async request => {
      const action = await loadAction(request)
      if (action.email !== undefined && getField(request, 'email').trim() !== action.email) {
        const errors = { email: 'It is not the e-mail address of this account.' }
        return showConfirmPage(request, action, errors, 400)
      }
      const failure = await confirmIdentity(context, request)
      if (failure !== undefined)
        return showConfirmPage(request, action, failure.errors, failure.status)
      // The same confirmation form may have been sent again while the password was checked.
      const latest = await loadAction(request)
      if (getField(request, 'was') === latest.version) return await latest.run()
      return redirectWithError(latest.backPath, 'This has already been done.')
    },
  }
}

interface ActionErrors extends ConfirmationErrors {
  readonly email?: string
}

function showConfirmPage(
  request: PageRequest,
  action: ConfirmedAction,
  errors: ActionErrors,
  status: number,
): PageResult {
  const { title, label, consequence, version, email, backPath, current } = action
  const body = (
    <Card label={title}>
      <Form action={request.http.path} csrf={request.csrf}>
        <p>{consequence}</p>
        <input type="hidden" name="was" value={version} />
        {email !== undefined && (
          <TextField
            label="E-mail address of the account"
            name="email"
            autocomplete="off"
            required
            hint={`Type ${email} to confirm.`}
            error={errors.email}
          />
        )}
        <ConfirmationFields secondFactor={request.secondFactor} errors={errors} />
        <Actions>
          <Button label={label} variant="sure" />
          <ButtonLink href={backPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  return showPage({ title, current, body, status })
}

export function showNewSecret(
  secret: CopyTextProps,
  { consequence, backPath, current }: Pick<ConfirmedAction, 'consequence' | 'backPath' | 'current'>,
): PageResult {
  const body = (
    <Card title={`This is the new ${secret.label}`} id="new-secret" isOnce>
      <CardBody>
        <p>
          <strong>Copy it now.</strong> {consequence}
        </p>
        <Secret {...secret} />
        <Actions>
          <ButtonLink href={backPath} label="Back" />
        </Actions>
      </CardBody>
    </Card>
  )
  return showPage({ title: `New ${secret.label}`, current, body })
}
