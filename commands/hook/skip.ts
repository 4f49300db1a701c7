import { string } from '@oclif/core/flags'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class HookSkip extends SubscriptionCommand {
  static override summary = 'Give up the event that waits, so that the next ones are delivered.'
  static override description =
    'An event waits when its hit has failed, or when the subscription is paused. It is logged as given up, and ' +
    'can be sent with `hook resend`. A paused subscription stays paused.'
  static override examples = [
    '<%= config.bin %> hook skip SUBSCRIPTION',
    '<%= config.bin %> hook skip SUBSCRIPTION --sequence 12',
  ]
  static override flags = {
    sequence: string({ description: 'Only if it is this event that waits.', helpValue: 'SEQ' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookSkip)
    const { sequence } = flags
    const which =
      sequence === undefined ? {} : { sequence: parseInteger('--sequence', sequence, 1, 1e15 - 1) }
    await this.changeSubscription(args.subscription, flags, (client, id, call) =>
      client.subscriptions.skip(id, which, call),
    )
  }
}
