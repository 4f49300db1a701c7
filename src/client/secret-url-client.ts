import type { SecretUrlInput } from '../contract/secret-url-schema.js'
import {
  type SecretUrlFields,
  secretUrlIdReply,
  secretUrlListReply,
  secretUrlReply,
} from '../contract/secret-url-schema.js'
import type { CallOptions } from './api-client.js'
import { ReceivedTextClient } from './received-text-client.js'

/** The part of the interface that is about secret URLs, one method a route (extension). */
export class SecretUrlClient extends ReceivedTextClient {
  /** GET /url: the account's secret URLs, without what is secret (extension). */
  async listSecretUrls(options: CallOptions = {}): Promise<SecretUrlFields[]> {
    const reply = await this.transport.call('GET', '/url', secretUrlListReply, options)
    return reply.urls.map(each => each.url)
  }

  /** POST /url: a new secret URL; its `url` is told this once (extension). */
  async createSecretUrl(
    draft: SecretUrlInput = {},
    options: CallOptions = {},
  ): Promise<SecretUrlFields> {
    const call = { json: draft, ...options }
    return (await this.transport.call('POST', '/url', secretUrlReply, call)).url
  }

  /** DELETE /url/<id>: ends a secret URL at once (extension). */
  async revokeSecretUrl(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/url/${encodeURIComponent(id)}`
    await this.transport.call('DELETE', path, secretUrlIdReply, options)
  }
}
