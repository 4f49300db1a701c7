import { limits } from '../../../domain/limits.js'
import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { type BodyFields, readFields } from '../../http/request-body.js'
import type { ServerContext } from '../../http/server-context.js'
import type { StartedSession } from '../../services/accounts/session-token.js'
import { getSignerId } from '../../services/accounts/signer.js'
import { formKeyName } from '../components/form.js'
import type { KeptInput, PageHandler, PageRequest } from '../page/page.js'
import { replaceFile } from '../page/table-upload.js'
import { getCookie, setCookie } from '../session/cookies.js'
import { csrfFieldName, hasCsrfToken } from '../session/csrf.js'
import { toLocalPath } from '../session/redirect-path.js'
import { getSessionToken } from '../session/session.js'
import { type EndedSession, findEndedSession } from '../session/session-proof.js'
import { findFormKey, proofNames } from './form-guard.js'

/** Milliseconds for which the dashboard keeps the input of a form whose session had ended. */
const lifetime = 30 * 60_000

const inputCookie = 'smsrelay_input'

/** What proves who sends a form, new passwords, and hidden fields with what its page had shown. */
const notKept = new Set([
  ...[...proofNames, csrfFieldName, formKeyName],
  ...['new_password', 'repeated', 'secret', 'status', 'was'],
])

type Context = Pick<ServerContext, 'accounts' | 'isSecure' | 'sessionRecords'>
type FormPlace = Pick<KeptInput, 'page' | 'action' | 'key'>

/**
 * Keeps the input of a POST while its person signs in again, encrypted with the secret of the
 * session that has ended. Reads no body for a session that never existed. Resolves to the page
 * after sign-in, and to whether the input is kept.
 * @param hasPage whether the path of the form is also that of a page
 */
export async function keepInput(
  context: Context,
  request: HttpRequest,
  { maxBytes = limits.body, acceptsFiles = false }: PageHandler,
  hasPage: boolean,
): Promise<{ readonly page: string; readonly isKept: boolean }> {
  const page = findFormPage(request, hasPage)
  const token = getSessionToken(request, context.isSecure(request))
  const ended = await findEndedSession(context, request, token)
  if (ended === undefined) return { page: '', isKept: false }
  const body = await readFields(request, maxBytes, acceptsFiles).catch(ignoreInvalidBody)
  if (body === undefined) return { page, isKept: false }
  if (!hasCsrfToken(request, body, ended.token)) return { page: '', isKept: false }
  const place = { page, action: request.path, key: findFormKey(body) }
  const input = await storeInput(context, ended, body, place)
  return { page, isKept: input !== undefined }
}

/** A body that is too long, for example, cannot be kept. */
function ignoreInvalidBody(error: unknown): undefined {
  if (!isRelayError(error)) throw error
}

/**
 * Keeps the input of a form that was answered with an error. Resolves to it; undefined without
 * input. It keeps the key of the form, which may have had its effect: if the store or the work
 * failed, or if it was sent before, in an earlier session.
 * @param hasPage whether the path of the form is also that of a page
 */
export async function keepUnsentInput(
  context: Context,
  { http, response, fields, session, caller }: PageRequest,
  { hasPage, error }: { readonly hasPage: boolean; readonly error: unknown },
): Promise<KeptInput | undefined> {
  const page = findFormPage(http, hasPage)
  const owner = { token: session, signer: getSignerId(caller) }
  const mayBeDone =
    !isRelayError(error) || error.code === 'unavailable' || error.code === 'insufficient_scope'
  const key = mayBeDone ? findFormKey(fields) : ''
  const input = await storeInput(context, owner, fields, { page, action: http.path, key })
  if (input !== undefined) announceInput(response, context.isSecure(http))
  return input
}

/**
 * Keeps the input that a page about an error shows, in case the session ends before that page is
 * read.
 * @param resultPath that of the page about the error
 * @param hasPage whether the path of the form is also that of a page
 */
export async function keepShownInput(
  { sessionRecords }: Context,
  { http, fields, session, caller }: PageRequest,
  resultPath: string,
  hasPage: boolean,
): Promise<void> {
  const place = { page: findFormPage(http, hasPage), action: http.path, key: '' }
  const input = await createInput(getSignerId(caller), fields, place)
  if (input !== undefined)
    await sessionRecords.keep(session, toRecordName(resultPath), input, lifetime)
}

function toRecordName(resultPath: string): string {
  return `input of ${resultPath}`
}

/** Keeps the input, if there is any. */
async function storeInput(
  { sessionRecords }: Context,
  { token, signer }: EndedSession,
  body: BodyFields,
  place: FormPlace,
): Promise<KeptInput | undefined> {
  const input = await createInput(signer, body, place)
  if (input !== undefined) await sessionRecords.keepInput(token, signer, input, lifetime)
  return input
}

async function createInput(
  signer: string,
  body: BodyFields,
  place: FormPlace,
): Promise<KeptInput | undefined> {
  const fields = await pickInput(body)
  return Object.keys(fields).length === 0 ? undefined : { signer, ...place, fields }
}

/**
 * Gives the input of an ended session to the next one of the same person. Resolves to the page
 * that shows it; undefined if there is no input of this person.
 * @param path the page that the person asked for, such as one about an error of a form
 */
export async function moveInput(
  { sessionRecords }: Pick<ServerContext, 'sessionRecords'>,
  previous: string,
  { token, signer }: StartedSession,
  path: string,
): Promise<string | undefined> {
  const input = ((await sessionRecords.find(previous, toRecordName(path))) ??
    (await sessionRecords.findInput(previous, signer))) as KeptInput | undefined
  if (input === undefined || input.signer !== signer) return undefined
  await sessionRecords.removeInput(previous, signer)
  await sessionRecords.keepInput(token, signer, input, lifetime)
  return input.page
}

/** Tells the browser that there is input for a page. */
export function announceInput(response: HttpResponse, secure: boolean): void {
  setCookie(response, { name: inputCookie, value: '1', secure, maxAge: lifetime / 1000 })
}

/** Finds the input that the session has kept, if the browser knows of some. */
export async function findInput(
  { sessionRecords, isSecure }: Pick<Context, 'sessionRecords' | 'isSecure'>,
  { http, session, caller }: PageRequest,
): Promise<KeptInput | undefined> {
  if (getCookie(http, inputCookie, isSecure(http)) === undefined) return undefined
  return (await sessionRecords.findInput(session, getSignerId(caller))) as KeptInput | undefined
}

/** Removes the input of a form that was sent. */
export async function removeInput(
  { sessionRecords, isSecure }: Pick<Context, 'sessionRecords' | 'isSecure'>,
  { http, response, session, caller }: PageRequest,
): Promise<void> {
  setCookie(response, { name: inputCookie, value: '', secure: isSecure(http), maxAge: 0 })
  await sessionRecords.removeInput(session, getSignerId(caller))
}

/** The page with the form, as the browser says; it cannot be read again if a form made it. */
function findFormPage({ headers, path }: HttpRequest, hasPage: boolean): string {
  const from = headers.referer ?? ''
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: '', search: '' }
  const page = toLocalPath(pathname + search)
  if (page !== '/' && !/^\/(results|login)\b/.test(page)) return page
  return hasPage ? toLocalPath(path) : '/'
}

/** What a person entered: no password, not what a page had shown, and of a file its text. */
async function pickInput(body: BodyFields): Promise<Record<string, string>> {
  const entered = Object.entries(await replaceFile(body)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !notKept.has(entry[0]),
  )
  return Object.fromEntries(entered)
}
