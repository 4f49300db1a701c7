import { formatCurlCommand } from '../../contract/secret-url-address.js'
import type { SecretUrlFields } from '../../contract/secret-url-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

/** A new secret URL, with a curl command to try it. */
export function formatNewSecretUrl(made: SecretUrlFields): string {
  const { url = '' } = made
  const terms = {
    ...(made.destination === null ? {} : { destinations: made.destination }),
    ...(made.message === null ? {} : { template: made.message }),
  }
  return formatFields({ url, ...toDetails(made), curl: formatCurlCommand(url, terms) })
}

export function formatSecretUrlTable(urls: readonly SecretUrlFields[], columns?: number): string {
  const rows = urls.map(each => [
    each.id,
    each.name ?? '',
    each.destination?.join(', ') ?? 'any',
    each.rate ?? '',
    each.state === 'expired' ? 'expired' : (each.expires_on ?? 'never'),
    String(each.used_count),
    each.last_used_on ?? 'never',
    each.message ?? 'any',
  ])
  const head = ['ID', 'NAME', 'TO', 'RATE', 'EXPIRES (UTC)', 'USED', 'LAST USED (UTC)', 'TEXT']
  return formatTable(head, rows, columns)
}

function toDetails(made: SecretUrlFields): Record<string, string> {
  return {
    id: made.id,
    ...(made.name === null ? {} : { name: made.name }),
    to: made.destination?.join(', ') ?? 'from the request',
    text: made.message ?? 'from the request',
    ...(made.rate === null ? {} : { rate: made.rate }),
    expires: made.expires_on === null ? 'never' : `${made.expires_on} UTC`,
    GET: made.confirm ? 'asks for confirmation' : 'sends',
  }
}
