import { HttpClient, type HttpReply } from '../harness/http-client.js'

/** An authenticated client of one node, which repeats nothing. */
export class NodeClient {
  readonly #client: HttpClient
  readonly #token: string

  constructor(port: number, token: string) {
    this.#client = new HttpClient(port)
    this.#token = token
  }

  async ask(
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpReply> {
    const authorization = `Bearer ${this.#token}`
    return await this.#client.request(method, path, { authorization, ...headers }, json)
  }

  close(): void {
    this.#client.close()
  }
}
