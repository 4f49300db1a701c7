import type { HttpRequest } from '../../../net/server/http-request.js'
import { hashText } from '../../../util/crypto/secrets.js'

/**
 * A hash of a dashboard page without the one-time tokens of its forms, which differ each time. The
 * times are not filled in yet, so a page does not change only because time passes.
 */
export function computePageVersion(document: string): string {
  return hashText(document.replace(/(name="key" value=")[^"]*/g, '$1')).slice(0, 16)
}

/** The version of the dashboard page that a script shows and wants to update. */
export function getShownVersion({ headers }: HttpRequest): string | undefined {
  const value = headers['x-page-version']
  return typeof value === 'string' ? value : undefined
}
