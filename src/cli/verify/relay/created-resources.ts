import { isObject } from './expectations.js'
import { type Fields, VerifyCaller, type VerifyHttp, type VerifyReply } from './verify-http.js'

interface Resource {
  readonly kind: 'message' | 'subscription' | 'do-not-text'
  readonly id: string
  readonly token: string
}

const concurrency = 8

/**
 * Everything that `verify` created on a relay, found in the replies, so that all of it is removed
 * even after a failure in the middle of a rule.
 */
export class CreatedResources {
  readonly #baseUrl: string
  #resources: Resource[] = []
  /** Tokens in the order of their creation; true: needed until the end. */
  readonly #tokens = new Map<string, boolean>()

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  get tokens(): readonly string[] {
    return [...this.#tokens.keys()]
  }

  record({ request, status, body }: VerifyReply): void {
    if (status < 200 || status >= 300 || !isObject(body)) return
    const { method, url, headers } = request
    const path = url.slice(this.#baseUrl.length).replace(/\?.*/s, '')
    if (path === '/oauth') this.#recordToken(body)
    const token = headers.authorization?.replace(/^Bearer /, '')
    const kind = createPaths[path]
    if (method !== 'POST' || kind === undefined || token === undefined) return
    const id = readCreatedId(kind, body)
    if (id !== undefined) this.#resources.push({ kind, id, token })
  }

  keepTokens(): void {
    for (const token of this.#tokens.keys()) this.#tokens.set(token, true)
  }

  async removeResources(http: VerifyHttp): Promise<string[]> {
    const resources = this.#resources
    this.#resources = []
    // Subscriptions first: the removal of messages would fire their events.
    const messages = resources.filter(({ kind }) => kind === 'message')
    const others = resources.filter(({ kind }) => kind !== 'message')
    const left = [
      ...(await this.#removeAll(http, others)),
      ...(await this.#removeAll(http, messages)),
    ]
    await this.#revoke(http, token => this.#tokens.get(token) === false)
    return left
  }

  /** Removes all that `verify` created, and revokes all its tokens; returns what is left. */
  async removeEverything(http: VerifyHttp): Promise<string[]> {
    const left = await this.removeResources(http)
    return [...left, ...(await this.#revoke(http, () => true))]
  }

  async #removeAll(http: VerifyHttp, resources: readonly Resource[]): Promise<string[]> {
    const left: string[] = []
    for (let start = 0; start < resources.length; start += concurrency) {
      const some = resources.slice(start, start + concurrency)
      const removed = await Promise.all(some.map(each => this.#remove(http, each)))
      left.push(...some.filter((_, at) => !removed[at]).map(({ kind, id }) => `${kind} ${id}`))
    }
    return left
  }

  async #remove(http: VerifyHttp, { kind, id, token }: Resource): Promise<boolean> {
    const caller = new VerifyCaller(http, this.#baseUrl, token)
    const path = `/${kind}/${encodeURIComponent(id)}`
    try {
      if (kind === 'message') await finishMessage(caller, path)
      const { status } = await caller.delete(path)
      return status < 300 || status === 404 || status === 400
    } catch {
      return false
    }
  }

  async #revoke(http: VerifyHttp, isWanted: (token: string) => boolean): Promise<string[]> {
    const left: string[] = []
    for (const token of this.tokens.filter(isWanted)) {
      const url = `${this.#baseUrl}/oauth/revoke?token=${encodeURIComponent(token)}`
      const reply = await http.send('GET', url).catch(() => undefined)
      this.#tokens.delete(token)
      if (reply === undefined || reply.status >= 300) left.push('a token')
    }
    return left
  }

  #recordToken({ access_token: token }: Fields): void {
    if (typeof token === 'string') this.#tokens.set(token, false)
  }
}

const createPaths: Readonly<Record<string, Resource['kind']>> = {
  '/api/1/message': 'message',
  '/api/1/subscription': 'subscription',
  '/api/1/do-not-text': 'do-not-text',
}

function readCreatedId(kind: Resource['kind'], body: Fields): string | undefined {
  const resource = kind === 'do-not-text' ? body.entry : body[kind]
  const id = isObject(resource) ? resource[kind === 'do-not-text' ? 'number' : 'id'] : undefined
  return typeof id === 'string' ? id : undefined
}

/**
 * Brings a message to a final state, because a message that is deleted before stays in the list of
 * deleted messages (docs/reference/interface.md 3). Undelete and unlock are extensions; a relay
 * without them answers with an error.
 */
async function finishMessage(caller: VerifyCaller, path: string): Promise<void> {
  let status = await readStatus(caller, path)
  if (status === undefined) {
    const { status: undeleted } = await caller.put(`${path}/undelete`, {})
    if (undeleted >= 300) return
    status = await readStatus(caller, path)
  }
  if (status === 'L') await caller.put(`${path}/unlock`, {})
  if (status === 'N' || status === 'E' || status === 'L') {
    await caller.put(`${path}/success`, { parts: 1 })
  }
}

async function readStatus(caller: VerifyCaller, path: string): Promise<string | undefined> {
  const { body } = await caller.get(path)
  const message = isObject(body) ? body.message : undefined
  return isObject(message) ? String(message.status) : undefined
}
