import type { SecretUrlCreate } from '../../contract/secret-url/secret-url-schema.js'
import { limits } from '../../domain/limits.js'
import type { SecretUrlDraft } from '../services/messages/secret-url-service.js'

export function toSecretUrlDraft(draft: SecretUrlCreate): SecretUrlDraft {
  const {
    name,
    destination,
    message,
    max_length: length,
    rate,
    expires_on,
    expires_in,
    confirm,
  } = draft
  return {
    ...(name === undefined ? {} : { name }),
    ...(destination === undefined ? {} : { destinations: destination }),
    ...(message === undefined ? {} : { template: message }),
    ...(length === limits.text ? {} : { length }),
    ...(rate === undefined ? {} : { rate }),
    ...(expires_on === undefined ? {} : { expiresAt: expires_on }),
    ...(expires_in === undefined ? {} : { expiresIn: expires_in * 1000 }),
    ...(confirm === true ? { confirm } : {}),
  }
}
