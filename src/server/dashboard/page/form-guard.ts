import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { BodyFields } from '../../http/request-body.js'
import { getSignerId } from '../../services/accounts/signer.js'
import { passwordFieldName } from '../components/confirmation-fields.js'
import { formKeyName } from '../components/form.js'
import { csrfFieldName } from '../session/csrf.js'
import { secondFactorFieldNames } from '../session/second-factor-check.js'
import { getField, type PageHandler, type PageRequest, type PageResult } from './page.js'

/** Fields that prove who sends a form: the same form sent again has the next code. */
const proofNames = [passwordFieldName, ...Object.values(secondFactorFieldNames)]

const keyPattern = /^[\w-]{16,64}$/

/** Milliseconds for which a form that is sent again gets the result of the first. */
const lifetime = 10 * 60_000
/** Forms of one account, or one address without a session. */
const maxForms = 100

interface KnownForm {
  readonly until: number
  readonly result: Promise<PageResult>
}

/**
 * Gives a form that is sent again, by a double click or a reload, the result of the first, in place
 * of a second effect. Each node remembers its own forms, until it ends; forms that send messages
 * have an idempotency key, which all nodes know.
 */
export class FormGuard {
  readonly #now: () => number
  /** The forms of each owner by key, path and input, the oldest first; the latest owner is last. */
  readonly #owners = new Map<string, Map<string, KnownForm>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Runs a form of a session; one with other input counts as another form. A form that was answered
   * with an error can be sent again. Throws `invalid_request` if the form has no key.
   */
  async runOnce(request: PageRequest, handler: PageHandler): Promise<PageResult> {
    const { session, caller, http, fields } = request
    if (!hasKey(fields))
      throw new RelayError('invalid_request', 'The form is incomplete. Load the page again.')
    if (handler.isIdempotent === true) return await handler(request)
    const name = `${getSignerId(caller)} ${session} ${http.path}`
    const form = describeForm(name, fields, proofNames)
    return await this.#run(caller.account.id, form, async () => handler(request))
  }

  /** Runs a form that needs no session, such as a sign-in; without a key each time. */
  async runOpenOnce(
    { path, address }: { readonly path: string; readonly address: string },
    fields: BodyFields,
    work: () => Promise<PageResult>,
  ): Promise<PageResult> {
    if (!hasKey(fields)) return await work()
    return await this.#run(address, describeForm(path, fields, []), work)
  }

  async #run(owner: string, form: string, work: () => Promise<PageResult>): Promise<PageResult> {
    const forms = this.#getForms(owner)
    // One of several that waited runs next, so each looks again after it has waited.
    for (let known = forms.get(form); known; known = forms.get(form)) {
      const first = await known.result
      if (hasEffect(first)) return first
    }
    for (const oldest of forms.keys()) {
      if (forms.size < maxForms) break
      forms.delete(oldest)
    }
    const result = work()
    forms.set(form, { until: this.#now() + lifetime, result })
    try {
      const value = await result
      if (!hasEffect(value)) forms.delete(form)
      return value
    } catch (error) {
      forms.delete(form)
      throw error
    }
  }

  /** The forms of an owner without the old ones. What one sends never evicts those of another. */
  #getForms(owner: string): Map<string, KnownForm> {
    const forms = this.#owners.get(owner) ?? new Map<string, KnownForm>()
    this.#owners.delete(owner)
    this.#owners.set(owner, forms)
    for (const [each, known] of this.#owners) {
      if (each === owner || [...known.values()].some(({ until }) => until > this.#now())) break
      this.#owners.delete(each)
    }
    for (const [form, { until }] of forms) {
      if (until > this.#now()) break
      forms.delete(form)
    }
    return forms
  }
}

/** A page with an error, a part of a page or a download leave the form as it was. */
function hasEffect(result: PageResult): boolean {
  if (result === undefined || 'partial' in result) return false
  return 'page' in result ? (result.page.status ?? 200) < 400 : result.isError !== true
}

function hasKey(fields: BodyFields): boolean {
  return keyPattern.test(getField({ fields }, formKeyName))
}

/** A hash that is the same only for the same form with the same input. CSRF tokens all differ. */
function describeForm(name: string, fields: BodyFields, without: readonly string[]): string {
  const input = Object.entries(fields)
    .filter(([field]) => field !== csrfFieldName && !without.includes(field))
    .map(([field, value]) => [
      field,
      value instanceof Uint8Array ? hashText(Buffer.from(value).toString('base64')) : value,
    ])
  return hashText(JSON.stringify([name, input]))
}
