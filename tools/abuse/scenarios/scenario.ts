import type { Random } from '../../chaos/random.js'
import { ApiClient } from '../harness/api-client.js'
import { RelayProcess } from '../harness/relay-process.js'
import type { Figure } from '../result.js'

/** One kind of abuse. */
export interface Scenario {
  readonly name: string
  readonly title: string
  readonly run: (world: World) => Promise<readonly Figure[]>
}

/** What a scenario starts; all of it ends with the scenario. */
export class World {
  readonly random: Random
  readonly #base: string
  readonly #closers: (() => unknown)[] = []

  constructor(base: string, random: Random) {
    this.#base = base
    this.random = random
  }

  /** Calls `close` at the end of the scenario. */
  onClose(close: () => unknown): void {
    this.#closers.push(close)
  }

  async startRelay(...args: readonly string[]): Promise<RelayProcess> {
    const relay = new RelayProcess(this.#base)
    this.onClose(async () => await relay.stop())
    await relay.start(args)
    return relay
  }

  /** A client with a token of the owner's account. */
  async signIn(relay: RelayProcess, address?: string): Promise<ApiClient> {
    return await this.openClient(relay, address).signIn(relay.owner)
  }

  /** A client with a token of an account of its own. */
  async signInOther(relay: RelayProcess, address?: string): Promise<ApiClient> {
    const keys = await relay.createAccount(`other-${this.#closers.length}@example.com`)
    return await this.openClient(relay, address).signIn(keys)
  }

  openClient({ port }: RelayProcess, address?: string): ApiClient {
    const client = new ApiClient(port, address)
    this.onClose(() => client.close())
    return client
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close()
  }
}

/** Runs work for each of `count` numbers, a few at once. */
export async function runMany(
  count: number,
  atOnce: number,
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await work(number)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
