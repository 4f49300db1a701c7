import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import {
  exhaustedFlag,
  toExhaustedFields,
  toWebhookFields,
  webhookFlags,
} from '../../src/cli/hook/hook-flags.js'
import { formatSubscription } from '../../src/cli/message/message-views.js'
import { RelayError } from '../../src/errors.js'

export default class HookEdit extends ApiCommand {
  static override summary = 'Change the address, method or data of a subscription.'
  static override description =
    'A hit that waits to be made again is made at once, with its retry times anew.'
  static override examples = [
    '<%= config.bin %> hook edit ID --to https://example.com/new --no-post',
  ]
  static override args = { id: defineRequiredArgument('Identifier of the subscription.') }
  static override flags = {
    to: string({ description: 'New address to call.', helpValue: 'URL' }),
    event: string({
      description: 'Change it only if it listens to this event. [default: whichever it listens to]',
      helpValue: 'EVENT',
    }),
    ...webhookFlags,
    ...exhaustedFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookEdit)
    const to = flags.to === undefined ? {} : { url: flags.to }
    const changes = { ...toWebhookFields(flags), ...toExhaustedFields(flags), ...to }
    if (Object.keys(changes).length === 0) {
      throw new RelayError('usage', 'There is nothing to change.', {
        hint: 'Give --to, --method, --post or --on-exhausted.',
      })
    }
    const id = await this.requireValue(args.id, {
      name: 'ID',
      message: 'Identifier of the subscription',
    })
    const client = await this.createClient(flags)
    const event = flags.event ?? (await client.subscriptions.get(id, this.callOptions)).event
    const edited = await client.subscriptions.edit(id, { event, ...changes }, this.callOptions)
    this.print(edited, formatSubscription)
  }
}
