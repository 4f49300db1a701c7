import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import {
  formatCausedEvent,
  type TriggerResult,
  triggerEvents,
} from '../../src/cli/hook/trigger/trigger-events.js'
import {
  chooseBlockedNumber,
  generateSteps,
  type Lifecycle,
  parseLifecycle,
} from '../../src/cli/hook/trigger/trigger-plan.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseInteger, parseRateFlag, parseSeed } from '../../src/cli/terminal/parse-values.js'
import { RelayError } from '../../src/errors.js'
import { pluralize } from '../../src/util/text/plural.js'

const description = `Creates messages to test numbers and reports their results itself, so it \
needs no phone and no \`serve --sandbox\`. Other messages stay unchanged. Only message.create \
leaves its message to the next phone.

Events: message.create, message.sent, message.failed, message.blocked, message.received, \
message.delivered, message.undelivered.
Lifecycles: created-sent, created-failed, created-blocked, created-delivered, \
created-undelivered, or with an arrow: create->sent.
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
      command: '<%= config.bin %> hook trigger "create->failed" --count 10 --rate 5/s',
    },
    {
      description: 'Cause events of different kinds; the seed repeats them.',
      command: '<%= config.bin %> hook trigger --mix --count 100 --seed 7 --json',
    },
  ]
  static override args = { event: defineOptionalArgument('Event or lifecycle.') }
  static override flags = {
    mix: boolean({
      description: 'Choose a random lifecycle for each message.',
      env: 'SMSRELAY_MIX',
    }),
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
    seed: string({
      description: 'The same seed creates the same texts, numbers and lifecycles.',
      env: 'SMSRELAY_HOOK_SEED',
      defaultHelp: async () => 'random',
      helpValue: 'N',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookTrigger)
    const count = parseInteger('--count', flags.count, 1, 1e9)
    const rate = flags.rate === undefined ? undefined : parseRateFlag('--rate', flags.rate)
    const seed = parseSeed('--seed', flags.seed, Math.random)
    const lifecycle = await this.#getLifecycle(args.event, flags.mix)
    const { clock } = this.io
    const result = await triggerEvents({
      client: await this.createClient(flags, ['api']),
      plan: generateSteps(seed, lifecycle),
      count,
      rate,
      blocked: chooseBlockedNumber(seed),
      signal: this.signal,
      clock,
      onEvent: event => {
        const time = new Date(clock.now()).toISOString()
        this.printLine({ type: 'event', time, ...event }, () => formatCausedEvent(event, time))
      },
    })
    this.#printEnd(result, seed)
  }

  async #getLifecycle(name: string | undefined, mix: boolean): Promise<Lifecycle | undefined> {
    if (mix && name !== undefined) {
      throw new RelayError('usage', `${name} and --mix cannot be used together.`, {
        hint: `Remove ${name} or --mix.`,
      })
    }
    if (mix) return undefined
    const question = { name: 'EVENT', message: 'Event or lifecycle' }
    return parseLifecycle(await this.requireValue(name, question))
  }

  #printEnd({ reason, messages, events, error, stillBlocked }: TriggerResult, seed: number): void {
    const blocked = stillBlocked === undefined ? {} : { still_blocked: stillBlocked }
    this.printLine({ type: 'end', reason, messages, events, seed, ...blocked }, () => undefined)
    const counts = `${pluralize(events, 'event')} with ${pluralize(messages, 'message')}`
    this.printNote(`Caused ${counts} (seed ${seed}).`)
    if (stillBlocked !== undefined) {
      const command = `smsrelay do-not-text remove ${stillBlocked}`
      this.printNote(`${stillBlocked} is still on the Do Not Text list. Remove it: ${command}`)
    }
    if (reason === 'failed') throw error
    if (reason === 'stopped' && this.isInterrupted) this.setExitCode(exitCodes.interrupted)
  }
}
