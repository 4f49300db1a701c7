import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import {
  exhaustedFlag,
  toEventName,
  toExhaustedFields,
  toWebhookFields,
  webhookFlags,
} from '../../src/cli/hook/hook-flags.js'
import { formatSubscription } from '../../src/cli/message/message-views.js'

export default class HookCreate extends ApiCommand {
  static override summary = 'Have the relay call an address when something happens.'
  static override examples = [
    '<%= config.bin %> hook create message.sent https://example.com/sent --post',
    '<%= config.bin %> hook create message.failed "https://user:secret@example.com/hook?from=sms" --method PUT',
  ]
  static override args = {
    event: defineRequiredArgument('The event; see `hook events`.'),
    url: defineRequiredArgument('Address to call, http or https.'),
  }
  static override flags = { ...webhookFlags, ...exhaustedFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookCreate)
    const event = await this.requireValue(args.event, { name: 'EVENT', message: 'Event' })
    const url = await this.requireValue(args.url, { name: 'URL', message: 'Address to call' })
    const client = await this.createClient(flags)
    const draft = {
      event: toEventName(event),
      url,
      ...toWebhookFields(flags),
      ...toExhaustedFields(flags),
    }
    this.print(await client.subscriptions.create(draft, this.callOptions), formatSubscription)
  }
}
