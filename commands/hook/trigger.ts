import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { type Lifecycle, parseLifecycle } from '../../src/cli/hook/trigger/lifecycle.js'
import { type TriggerResult, triggerEvents } from '../../src/cli/hook/trigger/trigger-events.js'
import { chooseBlockedNumber, generateSteps } from '../../src/cli/hook/trigger/trigger-plan.js'
import { formatCausedEvent } from '../../src/cli/hook/trigger/trigger-view.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseInteger, parseRateFlag, parseSeed } from '../../src/cli/terminal/parse-values.js'
import { RelayError } from '../../src/errors.js'
import { pause } from '../../src/util/async/clock.js'

export default class HookTrigger extends ApiCommand {
  static override summary =
    'Cause real events, with messages to test numbers that nobody ever sends.'
  static override description =
    'EVENT is message.create, message.sent, message.failed, message.blocked or message.received, or a ' +
    'lifecycle: created-sent, created-failed, created-blocked (create->sent and so on). An event stands for the ' +
    'shortest way to it, so those of messages to send cause message.create, too; for message.received a text comes ' +
    'in from a test number. Each message goes to a test number and is settled by ' +
    'a report of this command, so neither a phone nor serve --sandbox is needed, and other messages are left ' +
    'alone; message.create leaves its message to the next phone. For message.blocked a test number is on the ' +
    "account's Do Not Text list while the command runs. It ends when the events are recorded, whoever has " +
    'received them. With --json each line is {"type":"event"}, the last {"type":"end"}.'
  static override examples = [
    '<%= config.bin %> hook trigger message.sent',
    '<%= config.bin %> hook trigger "create->failed" --count 10 --rate 5/s',
    '<%= config.bin %> hook trigger --mix --count 100 --seed 7 --json',
  ]
  static override args = { event: defineOptionalArgument('The event or the lifecycle.') }
  static override flags = {
    mix: boolean({ description: 'Choose a lifecycle for each message by the seed.' }),
    count: string({ description: 'Messages to make.', helpValue: 'N', default: '1' }),
    rate: string({
      description:
        'Messages a second (or 100/min, 20/h, 500/d), at most. [default: one after the other]',
      helpValue: 'N/s',
    }),
    seed: string({
      description: 'Decides on texts, numbers and, with --mix, lifecycles. [default: a new one]',
      helpValue: 'N',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookTrigger)
    const count = parseInteger('--count', flags.count, 1, 1e9)
    const perSecond = flags.rate === undefined ? undefined : parseRateFlag('--rate', flags.rate)
    const seeded = parseSeed('--seed', flags.seed, Math.random)
    const lifecycle = await this.#lifecycle(args.event, flags.mix)
    const client = await this.createClient(flags, ['api'])
    const result = await triggerEvents({
      ...{
        client,
        count,
        rate: perSecond,
        signal: this.signal,
        pause,
        now: this.io.clock.monotonic,
      },
      plan: generateSteps(seeded, lifecycle),
      blocked: chooseBlockedNumber(seeded),
      onEvent: caused =>
        this.printLine(
          { type: 'event', time: new Date().toISOString(), ...caused },
          formatCausedEvent,
        ),
    })
    this.#end(result, seeded)
  }

  async #lifecycle(name: string | undefined, mix: boolean): Promise<Lifecycle | undefined> {
    if (mix && name !== undefined) {
      throw new RelayError('usage', '--mix chooses the lifecycles; leave EVENT out.')
    }
    if (mix) return undefined
    return parseLifecycle(
      await this.requireValue(name, { name: 'EVENT', message: 'Event or lifecycle' }),
    )
  }

  #end({ reason, messages, events, error, left }: TriggerResult, seeded: number): void {
    const listed = left === undefined ? {} : { still_blocked: left }
    this.printLine(
      { type: 'end', reason, messages, events, seed: seeded, ...listed },
      () => undefined,
    )
    const many = (count: number, what: string): string =>
      `${count} ${count === 1 ? what : `${what}s`}`
    this.printNote(
      `Caused ${many(events, 'event')} with ${many(messages, 'message')} (seed ${seeded}).`,
    )
    if (left !== undefined) {
      this.printNote(
        `Still on the Do Not Text list: ${left}; \`smsrelay blocklist remove ${left}\`.`,
      )
    }
    if (reason === 'failed') throw error
    if (reason === 'stopped' && this.isInterrupted) this.setExitCode(exitCodes.interrupted)
  }
}
