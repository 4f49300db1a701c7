import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../random.js'
import type { Modem } from './modem.js'

const pause = 200
/** A SIM stores few texts. */
const maxStored = 15

/** Sends texts to a modem until it is stopped. */
export class IncomingTexts {
  readonly #modem: Modem
  readonly #random: Random
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(modem: Modem, random: Random) {
    this.#modem = modem
    this.#random = random
  }

  start(): void {
    this.#running = this.#write()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #write(): Promise<void> {
    for (let n = 1; !this.#stop.signal.aborted; n += 1) {
      await sleep(pause * (0.5 + this.#random.fraction()))
      if (this.#modem.storedCount < maxStored) this.#modem.storeText(`received ${n}`)
    }
  }
}
