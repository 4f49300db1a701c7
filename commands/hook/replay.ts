import { string } from '@oclif/core/flags'
import { parseSequence } from '../../src/cli/hook/hook-flags.js'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { RelayError } from '../../src/errors.js'

export default class HookReplay extends SubscriptionCommand {
  static override summary = 'Deliver the events of a subscription again, starting with one of them.'
  static override description =
    '`hook deliveries` shows the sequence of each event. To send only one again, use `hook resend`.'
  static override examples = [
    {
      description: 'Deliver event 12 and all later ones again.',
      command: '<%= config.bin %> hook replay SUBSCRIPTION --from 12',
    },
  ]
  static override flags = {
    from: string({
      description: 'Sequence of the first event; required.',
      env: 'SMSRELAY_HOOK_REPLAY_FROM',
      helpValue: 'SEQ',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookReplay)
    if (flags.from === undefined) {
      throw new RelayError('usage', '--from is missing.', {
        hint: 'Add --from SEQ; `smsrelay hook deliveries` shows the sequences.',
      })
    }
    const from = parseSequence('--from', flags.from)
    await this.changeSubscription(args.subscription, flags, (client, id, options) =>
      client.subscriptions.replay(id, from, options),
    )
  }
}
