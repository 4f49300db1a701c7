// A relay as the rules of `verify` see it.
//
// - `relay-under-test` signs in with the keys. `verify-http` sends requests and reads replies.
// - `rule` is a rule, and `rule-outcome` what it throws. `expectations` compares and throws.
// - `steps` and `queue-steps` have what many rules do: create, report, list, subscribe, claim.
// - `webhook-inbox` receives webhooks from the relay.
// - `created-resources` finds in the replies what was created, and removes it.
import { setTimeout } from 'node:timers/promises'
import { CreatedResources } from './created-resources.js'
import { isObject } from './expectations.js'
import { RuleSkipped } from './rule-outcome.js'
import { encodeBasic, VerifyCaller, VerifyHttp, type VerifyReply } from './verify-http.js'
import { WebhookInbox, type WebhookInboxOptions } from './webhook-inbox.js'

export interface VerifyKeys {
  readonly secretKey: string
  readonly apiKey: string
  readonly appKey?: string | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
}

export interface VerifyTarget {
  readonly url: string
  readonly keys: VerifyKeys
  readonly otherKeys?: VerifyKeys | undefined
  readonly timeout: number
  /**
   * Milliseconds for the sign-in and all rules that fail: a server that answers wrongly ends
   * `verify` soon, and one that answers right has no limit.
   */
  readonly failureTime: number
  /** Where webhooks arrive; undefined: the relay cannot reach this machine. */
  readonly inbox?: Omit<WebhookInboxOptions, 'signal' | 'getLimit'> | undefined
  /** Moves the clock of the relay forward by milliseconds. Only tests of smsrelay can. */
  readonly moveClock?: ((milliseconds: number) => Promise<void>) | undefined
}

type Role = 'api' | 'phone' | 'secondPhone' | 'person' | 'stranger' | 'strangerPhone'

const missingReasons: Readonly<Record<Role, string>> = {
  api: 'there is no API key',
  phone: 'there is no application key: set SMSRELAY_APP_KEY',
  secondPhone: 'there is no application key: set SMSRELAY_APP_KEY',
  person:
    'there is no e-mail address and password for a User Login token: ' +
    'set SMSRELAY_EMAIL and SMSRELAY_PASSWORD',
  stranger: 'there is no second account: set SMSRELAY_OTHER_SECRET_KEY and SMSRELAY_OTHER_API_KEY',
  strangerPhone: 'there is no second account with a phone: set SMSRELAY_OTHER_APP_KEY too',
}

export class RelayUnderTest {
  readonly http: VerifyHttp
  readonly created: CreatedResources
  readonly target: VerifyTarget
  readonly #callers = new Map<Role, VerifyCaller>()
  readonly #reasons = new Map<Role, string>()
  readonly #inbox: WebhookInbox | undefined
  /** Resources that could not be removed. */
  readonly #left: string[] = []
  /** Whether the current rule of `verify` needs that no other phone takes its messages. */
  isQueueUsed = false
  /** Milliseconds that are left for rules that fail. */
  failureTime: number
  readonly #findings = new Map<string, Promise<string | undefined>>()

  constructor(target: VerifyTarget, signal: AbortSignal) {
    this.target = target
    this.failureTime = target.failureTime
    this.created = new CreatedResources(target.url)
    const onReply = (reply: VerifyReply): void => this.created.record(reply)
    this.http = new VerifyHttp({ signal, timeout: target.timeout, onReply })
    const getLimit = () => this.http.limit
    this.#inbox = target.inbox && new WebhookInbox({ ...target.inbox, signal, getLimit })
  }

  get url(): string {
    return this.target.url
  }

  get api(): VerifyCaller {
    return this.#getCaller('api')
  }

  get phone(): VerifyCaller {
    return this.#getCaller('phone')
  }

  /** Another phone of the account: another token from the same application key. */
  get secondPhone(): VerifyCaller {
    return this.#getCaller('secondPhone')
  }

  get person(): VerifyCaller {
    return this.#getCaller('person')
  }

  get stranger(): VerifyCaller {
    return this.#getCaller('stranger')
  }

  get strangerPhone(): VerifyCaller {
    return this.#getCaller('strangerPhone')
  }

  get inbox(): WebhookInbox {
    if (this.#inbox !== undefined) return this.#inbox
    throw new RuleSkipped(
      'the relay is on another machine: say with --public-url where it reaches this one',
    )
  }

  async moveClock(milliseconds: number): Promise<void> {
    await this.target.moveClock?.(milliseconds)
  }

  async pause(milliseconds: number): Promise<void> {
    this.http.limit?.throwIfAborted()
    await setTimeout(milliseconds, undefined, { signal: this.http.signal })
  }

  async signInAll(): Promise<VerifyReply> {
    const { keys, otherKeys } = this.target
    const reply = await this.#addCaller('api', keys.secretKey, keys.apiKey)
    await this.#addCaller('phone', keys.secretKey, keys.appKey)
    await this.#addCaller('secondPhone', keys.secretKey, keys.appKey)
    await this.#addCaller('person', keys.email, keys.password)
    await this.#addCaller('stranger', otherKeys?.secretKey, otherKeys?.apiKey)
    await this.#addCaller('strangerPhone', otherKeys?.secretKey, otherKeys?.appKey)
    this.created.keepTokens()
    return reply ?? (await this.signIn('', ''))
  }

  signIn(name: string, password: string): Promise<VerifyReply> {
    const headers = { authorization: encodeBasic(name, password) }
    return this.http.send('GET', `${this.url}/oauth`, { headers })
  }

  /** Makes a finding about the relay once: `find` resolves to why rules are skipped, if so. */
  async require(name: string, find: () => Promise<string | undefined>): Promise<void> {
    const finding = this.#findings.get(name) ?? find()
    this.#findings.set(name, finding)
    const reason = await finding
    if (reason !== undefined) throw new RuleSkipped(reason)
  }

  async removeResources(): Promise<void> {
    this.isQueueUsed = false
    this.#left.push(...(await this.created.removeResources(this.http)))
  }

  async close(signal: AbortSignal): Promise<string[]> {
    const http = new VerifyHttp({ signal, timeout: this.target.timeout })
    const left = await this.created.removeEverything(http)
    await this.#inbox?.close()
    return [...this.#left, ...left]
  }

  async #addCaller(
    role: Role,
    name: string | undefined,
    password: string | undefined,
  ): Promise<VerifyReply | undefined> {
    if (name === undefined || password === undefined) return undefined
    const reply = await this.signIn(name, password)
    const token = isObject(reply.body) ? reply.body.access_token : undefined
    if (typeof token === 'string') {
      this.#callers.set(role, new VerifyCaller(this.http, this.url, token))
    } else {
      this.#reasons.set(role, `/oauth gave no token for this key (status ${reply.status})`)
    }
    return reply
  }

  #getCaller(role: Role): VerifyCaller {
    const caller = this.#callers.get(role)
    if (caller !== undefined) return caller
    throw new RuleSkipped(this.#reasons.get(role) ?? missingReasons[role])
  }
}
