import { RelayError } from '../../../errors.js'
import { createSecret } from '../../../util/crypto/secrets.js'
import type { SingleUseKeys } from '../../services/accounts/single-use-keys.js'
import { type Html, h } from '../components/html.js'
import { getField, type PageRequest } from './page.js'

const keyFieldName = 'key'

/**
 * Runs the work of a dashboard form once, so that a double click or a reload creates no second
 * secret; undefined if the form was used before. A form whose work fails can be used again. Throws
 * `invalid_request` if the key of the form is invalid.
 */
export async function runFormOnce<T>(
  keys: SingleUseKeys,
  request: PageRequest,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const key = getField(request, keyFieldName)
  if (/^[\w-]{16,64}$/.test(key)) return await keys.runOnce(request.account, key, work)
  throw new RelayError('invalid_request', 'The form is incomplete. Load the page again.')
}

export function SingleUseKey(): Html {
  return h('input', { type: 'hidden', name: keyFieldName, value: createSecret() })
}
