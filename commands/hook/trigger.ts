import { randomInt } from 'node:crypto'
import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import {
  formatCausedEvent,
  parseTriggeredEvent,
  triggerEvents,
} from '../../src/cli/hook/trigger-events.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseInteger, parseRateFlag } from '../../src/cli/terminal/parse-values.js'
import { pluralize } from '../../src/util/text/plural.js'

const description = `Creates messages to test numbers and reports their results itself, so it \
needs no phone and no \`serve --sandbox\`. Other messages stay unchanged. Only message.create \
leaves its message to the next phone.

Events: message.create, message.sent, message.failed, message.blocked, message.received, \
message.delivered, message.undelivered.
A blocked test number is on the Do Not Text list until the command ends.
Types of the lines with --json: event, end.`

export default class HookTrigger extends ApiCommand {
  static override summary = 'Cause real events with messages to test numbers.'
  static override description = description
  static override examples = [
    {
      description: 'Cause the events of one sent message.',
      command: '<%= config.bin %> hook trigger message.sent',
    },
    {
      description: 'Fail ten messages, five per second.',
      command: '<%= config.bin %> hook trigger message.failed --count 10 --rate 5/s',
    },
  ]
  static override args = { event: defineRequiredArgument('Event to cause.') }
  static override flags = {
    count: string({
      description: 'Number of messages.',
      env: 'SMSRELAY_HOOK_TRIGGER_COUNT',
      helpValue: 'N',
      default: '1',
    }),
    rate: string({
      description: 'Maximum rate: 5/s, 100/min, 20/h, 500/d.',
      env: 'SMSRELAY_HOOK_RATE',
      defaultHelp: async () => 'no limit',
      helpValue: 'N/s',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookTrigger)
    const count = parseInteger('--count', flags.count, 1, 1e9)
    const rate = flags.rate === undefined ? undefined : parseRateFlag('--rate', flags.rate)
    const question = { name: 'EVENT', message: 'Event to cause' }
    const event = parseTriggeredEvent(await this.requireValue(args.event, question))
    const { clock } = this.io
    const { reason, messages, events, error, stillBlocked } = await triggerEvents({
      client: await this.createClient(flags, ['api']),
      event,
      count,
      rate,
      // Country code 999 is not assigned (ITU-T E.164).
      blocked: `+999${String(randomInt(100_000)).padStart(5, '0')}5551212`,
      signal: this.signal,
      clock,
      onEvent: each => {
        const time = new Date(clock.now()).toISOString()
        this.printLine({ type: 'event', time, ...each }, () => formatCausedEvent(each, time))
      },
    })
    const blocked = stillBlocked === undefined ? {} : { still_blocked: stillBlocked }
    this.printLine({ type: 'end', reason, messages, events, ...blocked }, () => undefined)
    this.printNote(`Caused ${pluralize(events, 'event')} with ${pluralize(messages, 'message')}.`)
    if (stillBlocked !== undefined) {
      const command = `smsrelay do-not-text remove ${stillBlocked}`
      this.printNote(`${stillBlocked} is still on the Do Not Text list. Remove it: ${command}`)
    }
    if (reason === 'failed') throw error
    if (reason === 'stopped' && this.isInterrupted) this.setExitCode(exitCodes.interrupted)
  }
}
