import { formatCurlCommand } from '../../contract/secret-url-address.js'
import type { SecretUrlFields } from '../../contract/secret-url-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

export function formatNewSecretUrl(secretUrl: SecretUrlFields): string {
  const { url = '' } = secretUrl
  const terms = {
    ...(secretUrl.destination === null ? {} : { destinations: secretUrl.destination }),
    ...(secretUrl.message === null ? {} : { template: secretUrl.message }),
  }
  return formatFields({ url, ...toDetails(secretUrl), curl: formatCurlCommand(url, terms) })
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

function toDetails(secretUrl: SecretUrlFields): Record<string, string> {
  return {
    id: secretUrl.id,
    ...(secretUrl.name === null ? {} : { name: secretUrl.name }),
    to: secretUrl.destination?.join(', ') ?? 'from the request',
    text: secretUrl.message ?? 'from the request',
    ...(secretUrl.rate === null ? {} : { rate: secretUrl.rate }),
    expires: secretUrl.expires_on === null ? 'never' : `${secretUrl.expires_on} UTC`,
    GET: secretUrl.confirm ? 'asks for confirmation' : 'sends',
  }
}
