import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/api-command.js'
import { exitCodes } from '../src/cli/exit-codes.js'
import { driverOptions, phoneLine } from '../src/cli/phone-options.js'
import { createDriver } from '../src/phone/drivers/index.js'
import { runPhone } from '../src/phone/loop.js'

export default class Phone extends ApiCommand {
  static override summary = 'Send what the relay has to send: NEXT, send, report, for ever.'
  static override description =
    'Signs in with the secret key and the application key. Driver simulate sends nothing; driver exec runs a ' +
    'program for each text, never through a shell, with the number and the text as its last two arguments and ' +
    'as SMSRELAY_DESTINATION and SMSRELAY_TEXT: exit 0 means sent (a number on stdout is the number of parts), ' +
    'anything else failed, for the reason on stderr. Ctrl-C finishes the message in hand; a second one gives it up.'
  static override examples = [
    '<%= config.bin %> phone --driver simulate --delay 2s --failure-rate 0.1',
    "<%= config.bin %> phone --driver exec --command '/usr/local/bin/send-sms --'",
    '<%= config.bin %> phone --driver simulate --once --json',
  ]
  static override flags = {
    driver: string({
      description: 'How texts are sent: simulate or exec.',
      helpValue: 'NAME',
      env: 'SMSRELAY_DRIVER',
    }),
    command: string({
      description: 'exec: the program and its first arguments.',
      helpValue: 'COMMAND',
    }),
    'exec-timeout': string({
      description: 'exec: longest the program may run. [default: 60s]',
      helpValue: 'TIME',
    }),
    delay: string({
      description: 'simulate: time each text takes. [default: 0s]',
      helpValue: 'TIME',
    }),
    'failure-rate': string({
      description: 'simulate: share that fails, 0 to 1. [default: 0]',
      helpValue: 'RATE',
    }),
    seed: string({ description: 'simulate: the same seed fails the same texts.', helpValue: 'N' }),
    option: string({
      description: 'Any option of the driver; can be repeated.',
      helpValue: 'KEY=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    once: boolean({ description: 'End after one message, or at once when nothing is due.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Phone)
    const name = await this.need(flags.driver, {
      name: '--driver',
      message: 'Driver',
      default: 'simulate',
    })
    await using driver = createDriver(name, driverOptions(flags), { env: this.io.env })
    const client = await this.client(flags, ['app'])
    const { signal: stop, force } = this
    const result = await runPhone({
      ...{ client, driver, stop, force, once: flags.once },
      onEvent: event => this.line({ time: new Date().toISOString(), ...event }, phoneLine),
    })
    this.line({ event: 'end', ...result }, () => undefined)
    this.note(`${result.sent} sent, ${result.failed} failed, ${result.unknown} unknown.`)
    if (force.aborted && this.interrupted) this.endWith(exitCodes.interrupted)
  }
}
