import { string } from '@oclif/core/flags'
import {
  defineDeliveryFlags,
  defineHeaderFlag,
  defineWebhookFlags,
  toDeliveryFields,
  toHeaderFields,
  toWebhookFields,
} from '../../../src/cli/hook/hook-flags.js'
import { SubscriptionCommand } from '../../../src/cli/hook/subscription-command.js'
import { formatSubscription } from '../../../src/cli/hook/subscription-views.js'
import { RelayError } from '../../../src/errors.js'

export default class HookEdit extends SubscriptionCommand {
  static override summary = 'Change the address, the webhooks or the retries of a subscription.'
  static override description =
    'After a change of address, method or data, a waiting webhook is sent at once, and its retry ' +
    'times start again.'
  static override examples = [
    {
      description: 'Send webhooks to another address, with the data in the query string.',
      command: '<%= config.bin %> hook edit SUBSCRIPTION --to https://example.com/new --no-post',
    },
  ]
  static override flags = {
    to: string({
      description: 'New address of the receiver.',
      env: 'SMSRELAY_HOOK_TO',
      helpValue: 'URL',
    }),
    event: string({
      description: 'Change the subscription only if it has this event.',
      env: 'SMSRELAY_EVENT',
      defaultHelp: async () => 'any event',
      helpValue: 'EVENT',
    }),
    ...defineWebhookFlags('unchanged', 'unchanged'),
    ...defineHeaderFlag(' "Authorization:" removes it.'),
    ...defineDeliveryFlags('unchanged', 'unchanged', 'unchanged'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookEdit)
    const to = flags.to === undefined ? {} : { url: flags.to }
    const headers = toHeaderFields(flags.header)
    const changes = { ...toWebhookFields(flags), ...headers, ...toDeliveryFields(flags), ...to }
    if (Object.keys(changes).length === 0) {
      throw new RelayError('usage', 'No flag changes the subscription.', {
        hint: 'Add --to, --method, --post, --header, --on-exhausted, --window or --retry-schedule.',
      })
    }
    const id = await this.requireSubscription(args.subscription)
    const client = await this.createClient(flags)
    const event = flags.event ?? (await client.subscriptions.get(id, this.callOptions)).event
    const edited = await client.subscriptions.edit(id, { event, ...changes }, this.callOptions)
    this.print(edited, formatSubscription)
  }
}
