// Forms that lose and repeat nothing.
// - form-guard: a form has its effect once, and its result can be read for ten minutes
// - open-form: a form without a session redirects to its page after an error
// - edit-conflict: an edit form changes one version; otherwise both versions are shown
// - kept-input: what was sent after the end of a session is shown again after signing in, by
//   `components/fill-form.ts`
// The services `forms/` store results and input, encrypted for their session.
import { RelayError } from '../../../errors.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import type { BodyFields } from '../../http/request-body.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerId } from '../../services/accounts/signer.js'
import { passwordFieldName } from '../components/confirmation-fields.js'
import { formKeyName } from '../components/form.js'
import { reviveHtml } from '../components/html.js'
import {
  getField,
  type PageContent,
  type PageHandler,
  type PageRequest,
  type PageResult,
  type Pages,
} from '../page/page.js'
import { replaceFile } from '../page/table-upload.js'
import { csrfFieldName } from '../session/csrf.js'
import { secondFactorFieldNames } from '../session/second-factor-check.js'

/**
 * Fields that prove who sends a form: the same form sent again has the next code, and none of them
 * in a page with kept input.
 */
export const proofNames: ReadonlySet<string> = new Set([
  passwordFieldName,
  ...Object.values(secondFactorFieldNames),
])

/** Milliseconds for which the result of a form can be shown again, also a secret in it. */
const shownTime = 10 * 60_000

const keyPattern = /^[\w-]{16,64}$/

type Context = Pick<ServerContext, 'formSubmissions' | 'sessionRecords'>

/**
 * Runs the work of a dashboard form once. The same form sent again, by a double click, a reload or
 * in a later session of the same person, gets the redirect of the first, whatever password or code
 * it has; one with other input counts as another form. A page becomes a redirect to it
 * ({@link keepPage}). A form that was answered with an error can be sent again. Throws
 * `invalid_request` if the form has no key.
 * @param isIdempotent whether the form has its effect once however often the work runs
 */
export async function runFormOnce(
  { formSubmissions, sessionRecords }: Context,
  request: PageRequest,
  work: PageHandler,
  isIdempotent = false,
): Promise<PageResult> {
  const { session, caller, http, fields } = request
  const secret = findFormKey(fields)
  if (secret === '')
    throw new RelayError('invalid_request', 'The form is incomplete. Load the page again.')
  const input = Object.fromEntries(Object.entries(fields).filter(([name]) => !proofNames.has(name)))
  const text = `${getSignerId(caller)} ${await describeSubmission(http.path, input)}`
  return await formSubmissions.runOnce({ secret, text, isIdempotent }, async () => {
    const value = await work(request)
    if (value === undefined || 'partial' in value) return { value, isFinal: false }
    if (!('page' in value)) return { value, isFinal: true }
    const isError = (value.page.status ?? 200) >= 400
    const kept = await keepPage({ sessionRecords }, session, value.page)
    return { value: kept, isFinal: !isError }
  })
}

/**
 * Runs the work of a form that needs no session once, such as a sign-in: the same form sent again
 * gets the same redirect. A form that gets a page or an error, or has no key, can be sent again.
 */
export async function runOpenFormOnce(
  { formSubmissions }: Pick<Context, 'formSubmissions'>,
  path: string,
  fields: BodyFields,
  work: () => Promise<PageResult>,
): Promise<PageResult> {
  const secret = findFormKey(fields)
  if (secret === '') return await work()
  const text = await describeSubmission(path, fields)
  return await formSubmissions.runOnce({ secret, text, isIdempotent: true }, async () => {
    const value = await work()
    const hasEffect = value !== undefined && 'seeOther' in value && value.isError !== true
    return { value, isFinal: hasEffect }
  })
}

/** The key of a form; empty without a valid one. */
export function findFormKey(fields: BodyFields): string {
  const key = getField({ fields }, formKeyName)
  return keyPattern.test(key) ? key : ''
}

/**
 * Keeps a page that a form of the dashboard made, and resolves to a redirect to it. Its session can
 * read it for ten minutes, so that a reload sends nothing.
 */
export async function keepPage(
  { sessionRecords }: Pick<Context, 'sessionRecords'>,
  session: string,
  page: PageContent,
): Promise<PageResult> {
  const id = createSecret()
  await sessionRecords.keep(session, toRecordName(id), JSON.stringify(page), shownTime)
  const isError = (page.status ?? 200) >= 400
  return { seeOther: `/results/${id}`, ...(isError ? { isError } : {}) }
}

/** The page that a form of the dashboard made, for the session that sent the form. */
export function createResultPages({
  sessionRecords,
}: Pick<ServerContext, 'sessionRecords'>): Pages {
  return {
    '/results/:id': {
      GET: async ({ http, session }) => {
        const page = await sessionRecords.find(session, toRecordName(String(http.params.id)))
        if (typeof page === 'string') return { page: JSON.parse(page, reviveHtml) as PageContent }
        throw new RelayError('not_found', 'The result of this form was shown for ten minutes.', {
          hint: 'If it was a secret that you did not copy, delete or replace what it belongs to.',
        })
      },
    },
  }
}

function toRecordName(id: string): string {
  return `page ${id}`
}

/**
 * A text that is the same only for the same form with the same input: also if a text field now has
 * the table that was a file. CSRF tokens all differ.
 */
async function describeSubmission(path: string, fields: BodyFields): Promise<string> {
  const { [csrfFieldName]: _, ...own } = await replaceFile(fields)
  const input = Object.entries(own).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? hashText(Buffer.from(value).toString('base64')) : value,
  ])
  return `form ${path} ${hashText(JSON.stringify(input))}`
}
