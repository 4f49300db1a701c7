import {
  type SecretUrlFields,
  type SecretUrlInput,
  secretUrlIdReply,
  secretUrlListReply,
  secretUrlReply,
} from '../contract/secret-url/secret-url-schema.js'
import type { CallOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** The account's secret URLs, one method a route (extension). */
export class SecretUrlClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /url: the secret URLs, without their secrets. */
  async list(options: CallOptions = {}): Promise<SecretUrlFields[]> {
    const pages = await this.#transport.readPages('/url', secretUrlListReply, options)
    return pages.flatMap(page => page.urls.map(each => each.url))
  }

  /** POST /url: creates a secret URL; only this reply has its `url`. */
  async create(draft: SecretUrlInput = {}, options: CallOptions = {}): Promise<SecretUrlFields> {
    const call = { json: draft, ...options }
    return (await this.#transport.call('POST', '/url', secretUrlReply, call)).url
  }

  /** DELETE /url/<id>: revokes a secret URL at once. */
  async revoke(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/url/${encodeURIComponent(id)}`
    await this.#transport.call('DELETE', path, secretUrlIdReply, options)
  }
}
