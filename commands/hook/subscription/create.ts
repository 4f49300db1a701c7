import { ApiCommand } from '../../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../../src/cli/command/arguments.js'
import {
  defineDeliveryFlags,
  defineHeaderFlag,
  toDeliveryFields,
  toEventName,
  toHeaderFields,
  toWebhookFields,
  webhookFlags,
} from '../../../src/cli/hook/hook-flags.js'
import { formatSubscription } from '../../../src/cli/hook/subscription-views.js'

export default class HookCreate extends ApiCommand {
  static override summary = 'Subscribe to an event: the relay sends webhooks to an address.'
  static override examples = [
    {
      description: 'Send a JSON body for each sent message.',
      command: '<%= config.bin %> hook create message.sent https://example.com/sent --post',
    },
    {
      description: 'Use another method, and an address with a password.',
      command:
        '<%= config.bin %> hook create message.failed ' +
        '"https://user:secret@example.com/hook" --method PUT',
    },
    {
      description: 'Send a token to the receiver.',
      command:
        '<%= config.bin %> hook create message.sent https://example.com/sent ' +
        '--header "Authorization: Bearer SECRET"',
    },
    {
      description: 'Have up to 16 webhooks in flight, for a receiver that is far away.',
      command: '<%= config.bin %> hook create message.sent https://example.com/sent --window 16',
    },
  ]
  static override args = {
    event: defineRequiredArgument('Name of the event; see `hook events`.'),
    url: defineRequiredArgument('Address of the receiver, http or https.'),
  }
  static override flags = {
    ...webhookFlags,
    ...defineHeaderFlag(),
    ...defineDeliveryFlags('pause', '1', 'default'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookCreate)
    const event = await this.requireValue(args.event, { name: 'EVENT', message: 'Event' })
    const url = await this.requireValue(args.url, { name: 'URL', message: 'Receiver address' })
    const client = await this.createClient(flags)
    const headers = toHeaderFields(flags.header)
    const fields = { ...toWebhookFields(flags), ...headers, ...toDeliveryFields(flags) }
    const draft = { event: toEventName(event), url, ...fields }
    this.print(await client.subscriptions.create(draft, this.callOptions), formatSubscription)
  }
}
