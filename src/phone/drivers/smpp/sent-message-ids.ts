/** Whom the parts went to that delivery receipts may still tell of; the oldest are forgotten. */
export class SentMessageIds {
  readonly #destinations = new Map<string, string>()
  readonly #most: number

  constructor(most = 100_000) {
    this.#most = most
  }

  /** Notes the `message_id` of a submit_sm_resp. */
  remember(id: string, destination: string): void {
    this.#destinations.set(normalizeId(id), destination)
    const [oldest] = this.#destinations.keys()
    if (this.#destinations.size > this.#most && oldest !== undefined) {
      this.#destinations.delete(oldest)
    }
  }

  /** Some SMSCs give an id in hexadecimal and tell of it in decimal, or the other way round. */
  find(id: string): string | undefined {
    for (const form of listIdForms(normalizeId(id))) {
      const destination = this.#destinations.get(form)
      if (destination !== undefined) return destination
    }
    return undefined
  }
}

function normalizeId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '')
}

function listIdForms(id: string): string[] {
  const hexadecimal = /^\d{1,19}$/.test(id) ? [BigInt(id).toString(16)] : []
  const decimal = /^[0-9a-f]{1,16}$/.test(id) ? [BigInt(`0x${id}`).toString()] : []
  return [id, ...hexadecimal, ...decimal]
}
