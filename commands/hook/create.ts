import { ApiCommand } from '../../src/cli/command/api-command.js'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { exhaustedFlag, exhaustedOf, hitFlags, hitOf } from '../../src/cli/hook/hook-flags.js'
import { eventName } from '../../src/cli/hook/listen/temporary-subscriptions.js'
import { subscriptionView } from '../../src/cli/message/message-views.js'

export default class HookCreate extends ApiCommand {
  static override summary = 'Have the relay call an address when something happens.'
  static override examples = [
    '<%= config.bin %> hook create message.sent https://example.com/sent --post',
    '<%= config.bin %> hook create message.failed "https://user:secret@example.com/hook?from=sms" --method PUT',
  ]
  static override args = {
    event: neededArgument('The event; see `hook events`.'),
    url: neededArgument('Address to call, http or https.'),
  }
  static override flags = { ...hitFlags, ...exhaustedFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookCreate)
    const event = await this.need(args.event, { name: 'EVENT', message: 'Event' })
    const url = await this.need(args.url, { name: 'URL', message: 'Address to call' })
    const client = await this.client(flags)
    const draft = { event: eventName(event), url, ...hitOf(flags), ...exhaustedOf(flags) }
    this.show(await client.createSubscription(draft, this.call), subscriptionView)
  }
}
