import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { BodyFields } from '../../http/request-body.js'
import type { PublicRoutes } from '../../http/route.js'
import { createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import { getSecondFactor } from '../../services/accounts/change-second-factor.js'
import type { Signer } from '../../services/accounts/signer.js'
import { SecondFactorFields } from '../components/confirmation-fields.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { h } from '../components/html.js'
import { FormError } from '../components/notice.js'
import {
  buildSignInLink,
  createOpenFormHandler,
  type OpenFormFailure,
  takeFailure,
} from '../forms/open-form.js'
import type { PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { getCookie, setCookie } from '../session/cookies.js'
import { toLocalPath } from '../session/redirect-path.js'
import {
  askForSecondFactor,
  checkSecondFactor,
  describeWrongFactor,
} from '../session/second-factor-check.js'
import { finishSignIn, getStartedSession, signInOnce } from './finish-sign-in.js'

const stepPath = '/login/code'

/** The cookie with the secret of a sign-in whose password was right. */
const pendingCookie = 'smsrelay_sign_in'

/** Leads somebody with a second factor from the sign-in page to that of the second step. */
export async function beginSecondStep(
  { pendingSignIns, isSecure }: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  signer: Signer,
  next: string,
): Promise<PageResult> {
  const value = await pendingSignIns.begin(signer)
  setCookie(response, { name: pendingCookie, value, secure: isSecure(request) })
  // Without effect until the second step, so a repeated form begins it again.
  const isError = true
  return { seeOther: buildSignInLink(next, stepPath), isError }
}

export function createSecondStepRoutes(sender: PageSender): PublicRoutes {
  const { context } = sender
  return {
    [stepPath]: {
      GET: async (request, response) => {
        const next = toLocalPath(new URLSearchParams(request.query).get('next'))
        const pending = await findPending(context, request)
        const result =
          pending === undefined
            ? { seeOther: buildSignInLink(next) }
            : showStepPage(context, request, pending, {
                failure: takeStepFailure(context, request, response, pending.signer),
                next,
              })
        await sender.send(request, response, result)
        return undefined
      },
      POST: createOpenFormHandler(sender, async (request, response, fields) => {
        const sent = { ...fields, pending: getPendingSecret(context, request) }
        const result = await signInOnce(sender, request, sent, async () =>
          takeStep(context, request, response, fields),
        )
        if (getStartedSession(result) !== undefined) endPending(context, request, response)
        return result
      }),
    },
  }
}

interface PendingStep {
  readonly signer: Signer
  readonly secret: string
}

function getPendingSecret({ isSecure }: ServerContext, request: HttpRequest): string | undefined {
  return getCookie(request, pendingCookie, isSecure(request))
}

async function findPending(
  context: ServerContext,
  request: HttpRequest,
): Promise<PendingStep | undefined> {
  const secret = getPendingSecret(context, request)
  const signer = secret && (await context.pendingSignIns.find(secret))
  return secret && signer ? { signer, secret } : undefined
}

async function takeStep(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
): Promise<PageResult> {
  const next = toLocalPath(fields.next)
  const again = { seeOther: buildSignInLink(next), isError: true }
  const pending = await findPending(context, request)
  if (pending === undefined) return again
  const origin = createAuditOrigin(context, request, response, { kind: 'person' })
  await context.audit.actFor(
    origin,
    async () => await checkSecondFactor(context, request, pending, fields),
  )
  if (!(await context.pendingSignIns.end(pending.secret))) return again
  return await finishSignIn(context, request, response, pending.signer, next)
}

function endPending(
  { isSecure }: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
): void {
  setCookie(response, { name: pendingCookie, value: '', secure: isSecure(request), maxAge: 0 })
}

function takeStepFailure(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  signer: Signer,
): OpenFormFailure | undefined {
  const hasApp = getSecondFactor(signer)?.totp !== undefined
  const texts = { invalid_client: describeWrongFactor({ hasApp }) }
  return takeFailure(context, request, response, texts)
}

interface StepForm {
  readonly failure: OpenFormFailure | undefined
  readonly next: string
}

function showStepPage(
  context: ServerContext,
  request: HttpRequest,
  { signer, secret }: PendingStep,
  { failure, next }: StepForm,
): PageResult {
  const prompt = askForSecondFactor(context, request, signer, secret)
  const body = (
    <Form action={stepPath} csrf={undefined} class="form">
      <FormError text={failure?.text} />
      <input type="hidden" name="next" value={next} />
      <SecondFactorFields prompt={prompt ?? { hasApp: false }} error={undefined} />
      <Actions>
        <Button label="Continue" />
        <ButtonLink href="/login" label="Start over" variant="bare" />
      </Actions>
    </Form>
  )
  return { page: { title: 'Confirm that it is you', status: failure?.status ?? 200, body } }
}
