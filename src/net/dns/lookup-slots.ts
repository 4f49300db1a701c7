interface AccountLookups {
  running: number
  readonly waiting: Set<() => void>
}

/** Runs at most `limit` look-ups of each account at once; the others wait in order. */
export class LookupSlots {
  readonly #limit: number
  readonly #accounts = new Map<string, AccountLookups>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Runs a DNS look-up, `work`, and settles as it does. Throws the reason of `signal` if that is
   * aborted before `work` begins.
   */
  async run<T>(
    account: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const lookups = this.#accounts.get(account) ?? { running: 0, waiting: new Set<() => void>() }
    this.#accounts.set(account, lookups)
    if (lookups.running < this.#limit) lookups.running += 1
    else await waitForTurn(lookups.waiting, signal)
    try {
      return await work()
    } finally {
      lookups.running -= 1
      this.#startWaiting(lookups)
      if (lookups.running === 0) this.#accounts.delete(account)
    }
  }

  #startWaiting(lookups: AccountLookups): void {
    for (const start of lookups.waiting) {
      if (lookups.running >= this.#limit) return
      lookups.running += 1
      start()
    }
  }
}

async function waitForTurn(
  waiting: Set<() => void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      waiting.delete(begin)
      signal?.removeEventListener('abort', abort)
    }
    const begin = (): void => {
      end()
      resolve()
    }
    const abort = (): void => {
      end()
      reject(signal?.reason)
    }
    waiting.add(begin)
    signal?.addEventListener('abort', abort)
  })
}
