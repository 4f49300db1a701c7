import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeliveryMode } from '../../../src/domain/account/account.js'
import type { Keys } from './integrator.js'
import type { Processes } from './processes.js'

interface Template {
  readonly directory: string
  readonly keys: Keys
}

/** Data directories with one account: created once for each delivery mode, then copied. */
export class AccountTemplates {
  readonly #processes: Processes
  readonly #templates = new Map<DeliveryMode, Promise<Template>>()

  constructor(processes: Processes) {
    this.#processes = processes
  }

  /** Creates a data directory at `path`; resolves to the keys of its account. */
  async createDataDirectory(path: string, mode: DeliveryMode): Promise<Keys> {
    const made = this.#templates.get(mode) ?? this.#make(mode)
    this.#templates.set(mode, made)
    const { directory, keys } = await made
    await cp(directory, path, { recursive: true })
    return keys
  }

  async #make(mode: DeliveryMode): Promise<Template> {
    const directory = join(this.#processes.makeDirectory(), 'data')
    const args = ['account', 'create', 'chaos@example.com', '--mode', mode, '--data', directory]
    const keys = JSON.parse(await this.#processes.run([...args, '--json'])) as Keys
    return { directory, keys }
  }
}
