import type { MessageFields } from '../../contract/message-schema.js'
import type { Status } from '../../domain/message/message.js'
import { isRelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { WorkerContext } from './worker-context.js'

type FetchContext = Pick<WorkerContext, 'client' | 'force' | 'pause' | 'now'>

/** Milliseconds. */
const freshFor = 1000
const answerTimeout = 5000

/** What is known of the message in hand; asked for again when that is more than a second ago. */
export class FetchedMessage {
  readonly #world: FetchContext
  #message: MessageFields
  #status: Status | undefined
  #at: number

  /** @param message as NEXT has just given it */
  constructor(message: MessageFields, world: FetchContext) {
    this.#message = message
    this.#status = message.status
    this.#world = world
    this.#at = world.now()
  }

  /** As it was known last: what the relay said may have been edited since it was taken. */
  get message(): MessageFields {
    return this.#message
  }

  /** Undefined when the message is gone. */
  get status(): Status | undefined {
    return this.#status
  }

  /** Whether it is still to be sent. A relay that does not answer leaves it to whoever has the lease. Never rejects. */
  async shouldSend(): Promise<boolean> {
    if (this.#world.now() - this.#at > freshFor) await this.#look()
    return this.#status === 'N' || this.#status === 'E'
  }

  async #look(): Promise<void> {
    const { client, force, pause, now } = this.#world
    try {
      const found = await runWithGrace(AbortSignal.abort(), answerTimeout, pause, late =>
        runWithSignal([force, late], signal => client.messages.get(this.#message.id, { signal })),
      )
      const { destination, message } = this.#message
      const isSame = found.destination === destination && found.message === message
      if (!isSame) this.#message = found
      this.#status = found.status
    } catch (error) {
      if (isRelayError(error, 'not_a_message')) this.#status = undefined
    }
    this.#at = now()
  }
}
