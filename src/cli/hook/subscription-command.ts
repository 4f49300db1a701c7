// What the commands of `smsrelay hook` share. Those that only wrap one request of the client are
// in commands/hook; listen/ is `hook listen`, which shows events and sends them to a local app, and
// trigger-events.ts is `hook trigger`, which causes events with messages to test numbers.
// webhook-receiver.ts is the HTTP server of `hook listen`.

import type { CallOptions } from '../../client/call-options.js'
import type { RelayClient } from '../../client/relay-client.js'
import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import { ApiCommand } from '../command/api-command.js'
import { defineRequiredArgument } from '../command/arguments.js'
import type { OutputFlags } from '../output/output-flags.js'
import type { ConnectionFlags } from '../profile/connection.js'
import { subscriptionColumns } from './subscription-views.js'

export type SubscriptionAction = (
  client: RelayClient,
  id: string,
  options: CallOptions,
) => Promise<SubscriptionFields>

export abstract class SubscriptionCommand extends ApiCommand {
  static override args = { subscription: defineRequiredArgument('Id of the subscription.') }

  protected async requireSubscription(subscription: string | undefined): Promise<string> {
    const question = { name: 'SUBSCRIPTION', message: 'Id of the subscription' }
    return await this.requireValue(subscription, question)
  }

  protected async changeSubscription(
    subscription: string | undefined,
    flags: ConnectionFlags & OutputFlags,
    action: SubscriptionAction,
  ): Promise<void> {
    const printer = await this.openPrinter(flags, subscriptionColumns)
    const id = await this.requireSubscription(subscription)
    const client = await this.createClient(flags)
    await printer.printOne(await action(client, id, this.callOptions))
  }
}
