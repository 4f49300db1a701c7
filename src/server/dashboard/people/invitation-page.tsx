import { limits } from '../../../domain/limits.js'
import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { type BodyFields, readFields } from '../../http/request-body.js'
import { getParam, type PublicRoutes } from '../../http/route.js'
import { auditContext, createAuditOrigin } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { runOpenFormOnce } from '../forms/form-guard.js'
import { formatFormError } from '../page/field-errors.js'
import { getField, type PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { checkOrigin } from '../session/csrf.js'

/**
 * The page of an invitation's link, which needs no session: the invited person chooses a password.
 * Opening it does not use it up, so previews of the link in a mail or chat program do no harm.
 */
export function createInvitationRoutes(sender: PageSender): PublicRoutes {
  return {
    '/invitation/:secret': {
      GET: async (request, response) => {
        await sender.send(request, response, await showInvitation(sender, request))
        return undefined
      },
      POST: async (request, response) => {
        sender.setHeaders(request, response)
        checkOrigin(request, sender.context.getBaseUrl(request))
        const fields = await readFields(request, limits.openBody)
        const result = await runOpenFormOnce(sender.context, request.path, fields, async () =>
          accept(sender, request, response, fields),
        )
        await sender.send(request, response, result)
        return undefined
      },
    },
  }
}

async function accept(
  sender: PageSender,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
): Promise<PageResult> {
  const { context } = sender
  const password = getField({ fields }, 'new_password')
  if (password !== getField({ fields }, 'repeated'))
    return await showInvitation(sender, request, { repeated: 'It differs from the password.' })
  try {
    const origin = createAuditOrigin(context, request, response, { kind: 'invitation' })
    await auditContext(context, origin).invitations.accept(getParam(request, 'secret'), password)
    return { seeOther: '/login' }
  } catch (error) {
    if (isRelayError(error, 'not_found')) return await showInvitation(sender, request)
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return await showInvitation(sender, request, { new_password: formatFormError(error) })
  }
}

interface FormErrors {
  readonly new_password?: string
  readonly repeated?: string
}

async function showInvitation(
  { context }: PageSender,
  request: HttpRequest,
  errors: FormErrors = {},
): Promise<PageResult> {
  const found = await context.invitations.find(getParam(request, 'secret'))
  if (found === undefined) return { page: { title: 'Invitation', status: 404, body: <Gone /> } }
  const { email } = await context.accounts.getById(found.account)
  const status = Object.keys(errors).length > 0 ? 400 : 200
  const lead = `You are invited to the account ${email} as ${found.role}.`
  const body = (
    <Form action={request.path} csrf={undefined} class="form">
      <p>
        {lead} Sign in as {found.email} with the password that you choose here.
      </p>
      <PasswordFields errors={errors} />
      <Button label="Join" />
    </Form>
  )
  return { page: { title: 'Invitation', status, body } }
}

function PasswordFields({ errors }: { readonly errors: FormErrors }): Html {
  const password = { type: 'password', autocomplete: 'new-password', required: true } as const
  return (
    <div>
      <TextField
        label="New password"
        name="new_password"
        {...password}
        hint="At least 8 characters, and not one of the 10,000 most common leaked passwords."
        error={errors.new_password}
      />
      <TextField
        label="Repeat the password"
        name="repeated"
        {...password}
        error={errors.repeated}
      />
    </div>
  )
}

function Gone(): Html {
  return (
    <Notice kind="failed">
      This invitation was used or revoked, or it is older than seven days. Ask for a new one.
    </Notice>
  )
}
