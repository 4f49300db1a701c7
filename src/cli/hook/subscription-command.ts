import type { CallOptions, RelayClient } from '../../client/relay-client.js'
import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import { ApiCommand } from '../command/api-command.js'
import { neededArgument } from '../command/arguments.js'
import { subscriptionView } from '../message/message-views.js'
import type { ConnectionFlags } from '../profile/connection.js'

/** What is done to a subscription. */
export type Steer = (
  client: RelayClient,
  id: string,
  call: CallOptions,
) => Promise<SubscriptionFields>

/** A command that does something to one subscription and shows it. */
export abstract class SteerCommand extends ApiCommand {
  static override args = { subscription: neededArgument('Identifier of the subscription.') }

  /** Asks for the subscription where it is missing, does it, and shows what came of it. */
  protected async steer(
    subscription: string | undefined,
    flags: ConnectionFlags,
    steer: Steer,
  ): Promise<void> {
    const question = { name: 'SUBSCRIPTION', message: 'Identifier of the subscription' }
    const id = await this.need(subscription, question)
    const client = await this.client(flags)
    this.show(await steer(client, id, this.call), subscriptionView)
  }
}
