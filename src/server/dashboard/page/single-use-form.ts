import { RelayError } from '../../../errors.js'
import { createSecret } from '../../../util/crypto/secrets.js'
import { type Html, h } from '../components/html.js'
import { getField, type PageRequest } from './page.js'

const keyFieldName = 'key'
const maxRemembered = 10_000

/**
 * Remembers the last 10,000 dashboard forms, so that a double click or a reload creates no second
 * secret.
 */
export class SingleUseForms {
  readonly #used = new Set<string>()

  /**
   * Runs a form's work once; undefined if the form was used before. A form whose work fails can be
   * used again. Throws `invalid_request` if the key of the form is invalid.
   */
  async runOnce<T>(request: PageRequest, work: () => Promise<T>): Promise<T | undefined> {
    const formKey = getField(request, keyFieldName)
    if (!/^[\w-]{16,64}$/.test(formKey))
      throw new RelayError('invalid_request', 'The form is incomplete. Load the page again.')
    const key = `${request.account.id} ${formKey}`
    if (this.#used.has(key)) return undefined
    this.#add(key)
    try {
      return await work()
    } catch (error) {
      this.#used.delete(key)
      throw error
    }
  }

  #add(key: string): void {
    this.#used.add(key)
    const [oldest] = this.#used
    if (this.#used.size > maxRemembered && oldest !== undefined) this.#used.delete(oldest)
  }
}

export function SingleUseKey(): Html {
  return h('input', { type: 'hidden', name: keyFieldName, value: createSecret() })
}
