import { type AtChannel, tryCommand } from './at-channel.js'

/**
 * The memories of a modem: `SM` (the SIM), `ME` (the modem), and `SR` for receipts (3GPP TS 27.005
 * section 3.2.2).
 */
export class ModemMemories {
  readonly #channel: AtChannel
  /** The memory that the modem reads from; undefined if it has no choice of memories. */
  readonly #home: string | undefined
  /** The memories to read received texts from; undefined is the present one. */
  readonly names: readonly (string | undefined)[]

  constructor(channel: AtChannel, home?: string, supported: readonly string[] = []) {
    this.#channel = channel
    this.#home = home
    const others = ['SM', 'ME', 'SR'].filter(each => each !== home && supported.includes(each))
    this.names = home === undefined ? [undefined] : [home, ...others]
  }

  has(name: string | undefined): boolean {
    return this.#home === undefined || this.names.includes(name)
  }

  get hasCounts(): boolean {
    return this.#home !== undefined
  }

  async use(name: string | undefined, work: () => Promise<void>): Promise<void> {
    if (name === undefined || this.#home === undefined || name === this.#home) return await work()
    await this.#channel.run({ command: `AT+CPMS="${name}"` })
    try {
      await work()
    } finally {
      await tryCommand(this.#channel, { command: `AT+CPMS="${this.#home}"` })
    }
  }

  async findFull(): Promise<string | undefined> {
    const triple = (await readMemories(this.#channel)).at(-1)
    if (triple === undefined || triple.total === 0 || triple.used < triple.total) return undefined
    const { name, used, total } = triple
    return (
      `The modem's memory ${name} is full (${used} of ${total}), so it receives no texts. ` +
      'Delete texts that the phone does not delete, such as drafts and sent texts.'
    )
  }
}

interface MemoryUse {
  readonly name: string
  readonly used: number
  readonly total: number
}

/**
 * Finds the memories of a modem. `home` is the one that it read from when the phone began; a
 * session that was lost may have left another.
 */
export async function findMemories(
  channel: AtChannel,
  home: string | undefined,
): Promise<{ readonly memories: ModemMemories; readonly home: string | undefined }> {
  const [present] = await readMemories(channel)
  if (present === undefined) return { memories: new ModemMemories(channel), home: undefined }
  const lines = (await tryCommand(channel, { command: 'AT+CPMS=?' })) ?? []
  // The first list has the memories that texts are read from: (("SM","ME"),("SM"),("SM")).
  const [list = ''] = /\([^()]*\)/.exec(lines.join(' ')) ?? []
  const supported = [...list.matchAll(/"(\w+)"/g)].flatMap(([, name]) => name ?? [])
  const first = home ?? present.name
  if (first !== present.name) await tryCommand(channel, { command: `AT+CPMS="${first}"` })
  return { memories: new ModemMemories(channel, first, supported), home: first }
}

async function readMemories(channel: AtChannel): Promise<readonly MemoryUse[]> {
  const lines = (await tryCommand(channel, { command: 'AT+CPMS?' })) ?? []
  const answer = lines.find(line => line.startsWith('+CPMS:')) ?? ''
  return [...answer.matchAll(/"(\w+)", ?(\d+), ?(\d+)/g)].map(([, name = '', used, total]) => ({
    name,
    used: Number(used),
    total: Number(total),
  }))
}
