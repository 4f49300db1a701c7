import { string } from '@oclif/core/flags'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'
import { RelayError } from '../../src/errors.js'

export default class HookReplay extends SubscriptionCommand {
  static override summary = 'Deliver events of a subscription again, from one of them on.'
  static override description =
    'All of them, in order; `hook deliveries` shows their sequence. One alone is sent again with `hook resend`.'
  static override examples = ['<%= config.bin %> hook replay SUBSCRIPTION --from 12']
  static override flags = {
    from: string({ description: 'Sequence of the first event (needed).', helpValue: 'SEQ' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookReplay)
    if (flags.from === undefined) {
      throw new RelayError('usage', 'Say from which event on.', {
        hint: 'Give --from SEQ; `smsrelay hook deliveries` shows the sequence of each.',
      })
    }
    const from = parseInteger('--from', flags.from, 1, 1e15 - 1)
    await this.changeSubscription(args.subscription, flags, (client, id, call) =>
      client.subscriptions.replay(id, from, call),
    )
  }
}
