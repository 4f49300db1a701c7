import { RelayError } from '../../../errors.js'
import { createSecret } from '../../../util/crypto/secrets.js'
import { type Html, h } from '../components/html.js'
import { getField, type PageRequest } from './page.js'

/** The field with the key of a form that is good for one use. */
const keyFieldName = 'key'
const maxRemembered = 10_000

/** Which forms were used: what a form makes that is shown once is not made again by a double click or a reload. */
export class SingleUseForms {
  readonly #used = new Set<string>()

  /**
   * Does the work of a form, or nothing where that form did it before: then resolves to undefined. Work that fails does not
   * use it up. Throws `invalid_request`.
   */
  async runOnce<T>(request: PageRequest, work: () => Promise<T>): Promise<T | undefined> {
    const given = getField(request, keyFieldName)
    if (!/^[\w-]{16,64}$/.test(given))
      throw new RelayError('invalid_request', 'The form is incomplete; load the page again.')
    const key = `${request.account.id} ${given}`
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

/** The field that makes a form good for one use. */
export function SingleUseKey(): Html {
  return h('input', { type: 'hidden', name: keyFieldName, value: createSecret() })
}
