import type { SecretUrlCreate } from '../../contract/secret-url/secret-url-schema.js'
import type { SecretUrlDraft } from '../services/messages/secret-url-service.js'

export function toSecretUrlDraft(draft: SecretUrlCreate): SecretUrlDraft {
  const { name, destination, message, rate, expires_on, expires_in, confirm } = draft
  return {
    ...(name === undefined ? {} : { name }),
    ...(destination === undefined ? {} : { destinations: destination }),
    ...(message === undefined ? {} : { template: message }),
    ...(rate === undefined ? {} : { rate }),
    ...(expires_on === undefined ? {} : { expiresAt: expires_on }),
    ...(expires_in === undefined ? {} : { expiresIn: expires_in * 1000 }),
    ...(confirm === true ? { confirm } : {}),
  }
}
