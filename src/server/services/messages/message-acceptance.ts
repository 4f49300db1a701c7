import type { Account } from '../../../domain/account/account.js'
import { hasMessageLimits } from '../../../domain/account-limits.js'
import { type Message, type Source, sources } from '../../../domain/message/message.js'
import type { BatchResult } from '../../../domain/message/message-batch.js'
import { TurnPacer } from '../../../util/async/turn-pacer.js'
import type { MessageChangeRequest } from '../../store/message-store.js'
import { findResult } from '../../store/stored-result.js'
import { MessageLimits } from '../limits/message-limits.js'
import type { ServiceContext } from '../service-context.js'
import type { KeyedDraft, MessageComposer } from './message-composer.js'

const acceptedNames = Object.fromEntries(
  sources.map(source => [source, `messages_accepted_total{source="${source}"}`]),
) as Readonly<Record<Source, string>>

/** Drafts of which the service makes messages in one turn of the event loop. */
const draftsPerPiece = 250

export class MessageAcceptance {
  readonly #context: ServiceContext
  readonly #composer: MessageComposer
  readonly #limits: MessageLimits
  readonly #pacer = new TurnPacer(1)

  constructor(context: ServiceContext, composer: MessageComposer) {
    this.#context = context
    this.#composer = composer
    this.#limits = new MessageLimits(context)
  }

  async accept(account: Account, draft: KeyedDraft, source: Source): Promise<Message> {
    const request = this.#composer.compose(account, draft, source)
    if (hasMessageLimits(account.limits)) return await this.#acceptLimited(account, request, source)
    const { id, decide, options } = request
    const accepted = await this.#context.store.messages.change(account.id, id, decide, options)
    if (accepted === undefined || accepted.id === id) this.#countAccepted(source, 1)
    return accepted ?? request.message
  }

  async acceptAll(
    account: Account,
    drafts: readonly KeyedDraft[],
    source: Source,
  ): Promise<BatchResult[]> {
    const changes = await this.#pacer.map(drafts, draftsPerPiece, draft =>
      this.#tryToCompose(account, draft, source),
    )
    if (drafts.length > draftsPerPiece) await this.#pacer.take()
    return await this.#commit(account, changes, source)
  }

  async findResult(account: Account, draft: KeyedDraft): Promise<Message | undefined> {
    const { options } = this.#composer.compose(account, draft, 'url')
    const key = options?.idempotencyKey
    return key && (await findResult(this.#context.store.messages, key))
  }

  async #acceptLimited(
    account: Account,
    request: ReturnType<MessageComposer['compose']>,
    source: Source,
  ): Promise<Message> {
    const [result] = await this.#commit(account, [request], source)
    if (result?.error !== undefined) throw result.error
    return result?.message ?? request.message
  }

  async #commit(
    account: Account,
    changes: readonly MessageChangeRequest[],
    source: Source,
  ): Promise<BatchResult[]> {
    const results = await this.#limits.commit(
      account,
      changes,
      async allowed => await this.#context.store.messages.changeAll(allowed),
    )
    const isNew = ({ message }: BatchResult, at: number): boolean => message?.id === changes[at]?.id
    this.#countAccepted(source, results.filter(isNew).length)
    return results
  }

  #countAccepted(source: Source, by: number): void {
    this.#context.metrics.increment(acceptedNames[source], by)
  }

  /** A message that cannot be created becomes a change that fails. */
  #tryToCompose(account: Account, draft: KeyedDraft, source: Source): MessageChangeRequest {
    try {
      return this.#composer.compose(account, draft, source)
    } catch (error) {
      const decide = (): never => {
        throw error
      }
      return { account: account.id, id: '', decide }
    }
  }
}
