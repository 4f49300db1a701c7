import { Card, CardBody } from '../components/card.js'
import {
  type ConfirmationErrors,
  ConfirmationFields,
  passwordFieldName,
} from '../components/confirmation-fields.js'
import { Actions, Button, ButtonLink, type ButtonVariant, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { type CopyTextProps, Secret } from '../components/secret.js'
import {
  getField,
  type PageContent,
  type PageHandler,
  type PageRequest,
  type PageResult,
  redirectWithError,
  showPage,
} from './page.js'
import { type ConfirmationContext, confirmIdentity } from './page-guards.js'
import { hasConfirmed, keepConfirmation, type SecretContext } from './shown-secrets.js'

interface ConfirmPage {
  readonly title: string
  readonly label: string
  /** Of the button that confirms. @default 'sure' */
  readonly variant?: ButtonVariant
  readonly consequence: string
  /** An e-mail address that the person must also type. */
  readonly email?: string
  /** The page above this one, to which Cancel leads. */
  readonly parent: NonNullable<PageContent['parent']>
  readonly current: string
}

export interface ConfirmedAction extends ConfirmPage {
  /**
   * Version of the confirmed action: changes with it, so that a form that is sent twice runs it
   * once.
   */
  readonly version: string
  readonly run: () => Promise<PageResult>
}

type LoadAction = (request: PageRequest) => Promise<ConfirmedAction>

export function createConfirmedHandlers(
  context: ConfirmationContext,
  loadAction: LoadAction,
): Readonly<Record<'GET' | 'POST', PageHandler>> {
  const show = (request: PageRequest, action: ConfirmedAction, failure?: ActionFailure) =>
    showConfirmPage(request, action, { was: action.version }, failure)
  return {
    GET: async request => show(request, await loadAction(request)),
    POST: async request => {
      const action = await loadAction(request)
      if (action.email !== undefined && getField(request, 'email').trim() !== action.email) {
        const errors = { email: 'It is not the e-mail address of this account.' }
        return show(request, action, { errors, status: 400 })
      }
      const failure = await confirmIdentity(context, request)
      if (failure !== undefined) return show(request, action, failure)
      // The same confirmation form may have been sent again while the password was checked.
      const latest = await loadAction(request)
      if (getField(request, 'was') === latest.version) return await latest.run()
      return redirectWithError(latest.parent.path, 'This has already been done.')
    },
  }
}

/**
 * Asks for the password before a form of the dashboard has its effect, unless the session has
 * entered it in the last ten minutes. Resolves to the page that asks; undefined if the form can go
 * on.
 * @param input of the form, which the page sends again with the password
 */
export async function askForPassword(
  context: SecretContext,
  request: PageRequest,
  page: ConfirmPage,
  input: Readonly<Record<string, string>>,
): Promise<PageResult> {
  if (await hasConfirmed(context, request)) return undefined
  if (!(passwordFieldName in request.fields)) return showConfirmPage(request, page, input)
  const failure = await confirmIdentity(context, request)
  if (failure !== undefined) return showConfirmPage(request, page, input, failure)
  await keepConfirmation(context, request)
  return undefined
}

interface ActionFailure {
  readonly status: number
  readonly errors: ConfirmationErrors & { readonly email?: string }
}

function showConfirmPage(
  request: PageRequest,
  page: ConfirmPage,
  input: Readonly<Record<string, string>>,
  { errors, status }: ActionFailure = { errors: {}, status: 200 },
): PageResult {
  const { title, label, variant = 'sure', consequence, email, parent, current } = page
  const body = (
    <Card label={title}>
      <Form action={request.http.path} csrf={request.csrf}>
        <p>{consequence}</p>
        {Object.entries(input).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
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
          <Button label={label} variant={variant} />
          <ButtonLink href={parent.path} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  return showPage({ title, current, parent, body, status })
}

export function showNewSecret(
  secret: CopyTextProps,
  { consequence, parent, current }: Pick<ConfirmPage, 'consequence' | 'parent' | 'current'>,
): PageResult {
  const body = (
    <Card title={`This is the new ${secret.label}`} id="new-secret" isOnce>
      <CardBody>
        <p>
          <strong>Copy it now.</strong> {consequence}
        </p>
        <Secret {...secret} />
        <Actions>
          <ButtonLink href={parent.path} label="Back" />
        </Actions>
      </CardBody>
    </Card>
  )
  return showPage({ title: `New ${secret.label}`, current, parent, body })
}
