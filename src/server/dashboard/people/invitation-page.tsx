import { findPasswordProblem, passwordError } from '../../../domain/account/password.js'
import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { BodyFields } from '../../http/request-body.js'
import { getParam, type PublicRoutes } from '../../http/route.js'
import { createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { FormError, Notice } from '../components/notice.js'
import {
  createOpenFormHandler,
  type OpenFormFailure,
  redirectWithFailure,
  takeFailure,
} from '../forms/open-form.js'
import { formatFormError } from '../page/field-errors.js'
import { getField, type PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'

/**
 * The page of an invitation's link, which needs no session: the invited person chooses a password.
 * Opening it does not use it up, so previews of the link in a mail or chat program do no harm.
 */
export function createInvitationRoutes(sender: PageSender): PublicRoutes {
  const { context } = sender
  return {
    '/invitation/:secret': {
      GET: async (request, response) => {
        const failure = takeFailure(context, request, response, texts)
        await sender.send(request, response, await showInvitation(context, request, failure))
        return undefined
      },
      POST: createOpenFormHandler(sender, async (request, response, fields) =>
        sender.forms.runOpenOnce(
          { path: request.path, address: context.getClientAddress(request) },
          fields,
          async () => accept(context, request, response, fields),
        ),
      ),
    },
  }
}

const passwordTexts = {
  differs: 'It does not match the password.',
  length: formatFormError(passwordError('length')),
  common: formatFormError(passwordError('common')),
}

const texts = {
  ...passwordTexts,
  email: 'It is no e-mail address, or it already signs in. Choose another one.',
}

async function accept(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
): Promise<PageResult> {
  const password = getField({ fields }, 'new_password')
  const email = getField({ fields }, 'email').trim()
  const problem =
    password === getField({ fields }, 'repeated') ? await findPasswordProblem(password) : 'differs'
  if (problem !== undefined)
    return redirectWithFailure(context, request, response, fields, { reason: problem, email })
  try {
    const origin = createAuditOrigin(context, request, response, { kind: 'invitation' })
    await context.audit.actFor(
      origin,
      async () =>
        await context.invitations.accept(getParam(request, 'secret'), password, email || undefined),
    )
    return { seeOther: '/login' }
  } catch (error) {
    // The page says that the invitation does not work any more.
    if (isRelayError(error, 'not_found')) return { seeOther: request.path, isError: true }
    if (isRelayError(error, 'invalid_parameter'))
      return redirectWithFailure(context, request, response, fields, { reason: 'email', email })
    throw error
  }
}

async function showInvitation(
  context: ServerContext,
  request: HttpRequest,
  failure: OpenFormFailure | undefined,
): Promise<PageResult> {
  const found = await context.invitations.find(getParam(request, 'secret'))
  if (found === undefined) return { page: { title: 'Invitation', status: 404, body: <Gone /> } }
  const { email } = await context.accounts.getById(found.account)
  const lead = `You are invited to the account ${email} with the role ${found.role}.`
  const isField = failure !== undefined && Object.hasOwn(passwordTexts, failure.reason)
  const body = (
    <Form action={request.path} csrf={undefined} class="form">
      <FormError text={isField || failure?.reason === 'email' ? undefined : failure?.text} />
      <p>{lead} Sign in with the e-mail address and the password that you choose here.</p>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autocomplete="username"
        required
        value={failure?.email || found.email}
        error={failure?.reason === 'email' ? failure.text : undefined}
      />
      <PasswordFields failure={isField ? failure : undefined} />
      <Button label="Join" />
    </Form>
  )
  return { page: { title: 'Invitation', status: failure?.status ?? 200, body } }
}

function PasswordFields({ failure }: { readonly failure: OpenFormFailure | undefined }): Html {
  const isRepeated = failure?.reason === 'differs'
  const password = { type: 'password', autocomplete: 'new-password', required: true } as const
  return (
    <>
      <TextField
        label="New password"
        name="new_password"
        {...password}
        hint="At least 8 characters, and not one of the 10,000 most common leaked passwords."
        error={isRepeated ? undefined : failure?.text}
      />
      <TextField
        label="Repeat the password"
        name="repeated"
        {...password}
        error={isRepeated ? failure.text : undefined}
      />
    </>
  )
}

function Gone(): Html {
  return (
    <Notice kind="failed">
      This invitation was used or revoked, or it is older than seven days. Ask for a new one.
    </Notice>
  )
}
