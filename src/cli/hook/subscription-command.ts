import type { RelayClient } from '../../client/relay-client.js'
import type { CallOptions } from '../../client/transport.js'
import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import { ApiCommand } from '../command/api-command.js'
import { defineRequiredArgument } from '../command/arguments.js'
import { formatSubscription } from '../message/message-views.js'
import type { ConnectionFlags } from '../profile/connection.js'

/** What is done to a subscription. */
export type SubscriptionAction = (
  client: RelayClient,
  id: string,
  call: CallOptions,
) => Promise<SubscriptionFields>

/** A command that does something to one subscription and shows it. */
export abstract class SubscriptionCommand extends ApiCommand {
  static override args = { subscription: defineRequiredArgument('Identifier of the subscription.') }

  /** Asks for the subscription where it is missing, does it, and shows what came of it. */
  protected async changeSubscription(
    subscription: string | undefined,
    flags: ConnectionFlags,
    steer: SubscriptionAction,
  ): Promise<void> {
    const question = { name: 'SUBSCRIPTION', message: 'Identifier of the subscription' }
    const id = await this.requireValue(subscription, question)
    const client = await this.createClient(flags)
    this.print(await steer(client, id, this.callOptions), formatSubscription)
  }
}
