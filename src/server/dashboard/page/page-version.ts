import type { HttpRequest } from '../../../net/server/http-request.js'
import { hashText } from '../../../util/crypto/secrets.js'

const tokens = /(data-csrf="|name="(?:csrf|key)" value=")[^"]*/g

/**
 * A hash of a dashboard page without its tokens. The times are not filled in yet, so a page does
 * not change only because time passes.
 */
export function computePageVersion(document: string): string {
  return hashText(document.replace(tokens, '$1')).slice(0, 16)
}

/** The version of the dashboard page that a script shows and wants to update. */
export function getShownVersion({ headers }: HttpRequest): string | undefined {
  const value = headers['x-page-version']
  return typeof value === 'string' ? value : undefined
}
