import { limits } from '../../../domain/limits.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { type BodyFields, readFields } from '../../http/request-body.js'
import type { PublicRoutes } from '../../http/route.js'
import { auditContext, createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import type { Signer } from '../../services/accounts/signer.js'
import { SecondFactorFields } from '../components/confirmation-fields.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import type { PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { getCookie, setCookie } from '../session/cookies.js'
import { checkOrigin } from '../session/csrf.js'
import { toLocalPath } from '../session/redirect-path.js'
import { askForSecondFactor, checkSecondFactor } from '../session/second-factor-check.js'
import {
  finishSignIn,
  getStartedSession,
  type SignInFailure,
  signInOnce,
  toSignInFailure,
} from './finish-sign-in.js'

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
  return { seeOther: buildLink(stepPath, { next: next === '/' ? '' : next }), isError }
}

/** The page of the second step of a sign-in, for the browser that had the right password. */
export function createSecondStepRoutes(sender: PageSender): PublicRoutes {
  return {
    [stepPath]: {
      GET: async (request, response) => {
        const next = toLocalPath(request.query.next)
        const pending = await findPending(sender.context, request)
        const result =
          pending === undefined
            ? { seeOther: buildLink('/login', { next: next === '/' ? '' : next }) }
            : showStepPage(sender.context, request, pending, { next })
        await sender.send(request, response, result)
        return undefined
      },
      POST: async (request, response) => {
        checkOrigin(request, sender.context.getBaseUrl(request))
        const fields = await readFields(request, limits.openBody)
        const sent = { ...fields, pending: getPendingSecret(sender.context, request) }
        const result = await signInOnce(sender.context, request, response, sent, async () =>
          takeStep(sender.context, request, response, fields),
        )
        if (getStartedSession(result) !== undefined) endPending(sender.context, request, response)
        await sender.send(request, response, result)
        return undefined
      },
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
  const signInPath = buildLink('/login', { next: next === '/' ? '' : next })
  const again = { seeOther: signInPath, isError: true }
  const pending = await findPending(context, request)
  if (pending === undefined) return again
  const { signer, secret } = pending
  try {
    const origin = createAuditOrigin(context, request, response, { kind: 'person' })
    await checkSecondFactor(auditContext(context, origin), request, pending, fields)
  } catch (error) {
    return showStepPage(context, request, pending, {
      ...toSignInFailure(error, response, wrongText),
      next,
    })
  }
  if (!(await context.pendingSignIns.end(secret))) return again
  return await finishSignIn(context, request, response, signer, next)
}

function endPending(
  { isSecure }: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
): void {
  setCookie(response, { name: pendingCookie, value: '', secure: isSecure(request), maxAge: 0 })
}

const wrongText = 'The code is wrong or was used before. Type the next one that the app shows.'

function showStepPage(
  context: ServerContext,
  request: HttpRequest,
  { signer, secret }: PendingStep,
  { next, error, status = 200 }: Partial<SignInFailure> & { readonly next: string },
): PageResult {
  const prompt = askForSecondFactor(context, request, signer, secret)
  const body = (
    <Form action={stepPath} csrf={undefined} class="form">
      {error !== undefined && <Notice kind="failed">{error}</Notice>}
      <input type="hidden" name="next" value={next} />
      <SecondFactorFields prompt={prompt ?? { hasApp: false }} error={undefined} />
      <Actions>
        <Button label="Continue" />
        <ButtonLink href="/login" label="Start over" variant="bare" />
      </Actions>
    </Form>
  )
  return { page: { title: 'Confirm that it is you', status, body } }
}
