import { hostname } from 'node:os'
import { boolean } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/command/api-command.js'
import { OnceOutcome } from '../src/cli/phone/once-outcome.js'
import {
  driverFlags,
  driverHelp,
  parseConcurrency,
  parseDriverOptions,
  runningFlags,
  useFlag,
} from '../src/cli/phone/phone-flags.js'
import { openPhoneWebhooks } from '../src/cli/phone/phone-webhooks.js'
import {
  createPhoneClient,
  createPhoneIdentity,
  formatPhoneEvent,
  limitHeapGrowth,
  openJournal,
} from '../src/cli/phone/running-phone.js'
import { applySetup } from '../src/cli/phone/setup/setup-flags.js'
import { getStateDir } from '../src/cli/profile/directories.js'
import { exitCodes } from '../src/cli/terminal/exit-codes.js'
import { RelayError } from '../src/errors.js'
import type { Driver } from '../src/phone/driver-port/driver.js'
import { createDriverSet } from '../src/phone/drivers/driver-set.js'
import type { PhoneEvent } from '../src/phone/events/phone-events.js'
import { createQuietHours } from '../src/phone/quiet-hours/quiet-hours.js'
import { openRateLimiter } from '../src/phone/rate-limit/open-rate-limiter.js'
import { parseRate } from '../src/phone/rate-limit/parts-rate.js'
import { runPhone } from '../src/phone/run-phone.js'

const description = `Fetches messages of the relay, sends them through the driver and \
reports the results, until Ctrl-C. A journal on disk prevents double sending after a crash. \
It signs in with the secret key and the application key.

${driverHelp}

Without a terminal, its lines contain no numbers and no received texts: they go to a log. \
--show-texts prints them there too; --json and --no-forward always do.

Ctrl-C ends after the messages in flight; a second Ctrl-C abandons them (exit code 130).
With --once, the exit code is 0 if the message was sent, 3 if it was not, and 7 if no message is \
due or none may be sent now.`

export default class Phone extends ApiCommand {
  static override summary = 'Send the messages of the relay through a modem or a provider.'
  static override description = description
  static override examples = [
    {
      description: 'Try it without sending anything.',
      command:
        '<%= config.bin %> phone --driver simulate ' +
        '--option delay=2000 --option failure-rate=0.1',
    },
    {
      description: 'Send with a modem.',
      command: '<%= config.bin %> phone --driver modem --option device=/dev/ttyUSB2',
    },
    {
      description: 'Send with an account at an SMSC, a hundred messages at the same time.',
      command:
        '<%= config.bin %> phone --driver smpp --option host=smpp.example.com ' +
        '--option system-id=acme --concurrency 100',
    },
    {
      description: 'Send with a provider.',
      command: '<%= config.bin %> phone --driver http --option preset=textbee',
    },
    {
      description: 'Run a program for each text; it gets the number and the text as arguments.',
      command:
        "<%= config.bin %> phone --driver exec --option 'command=/usr/local/bin/send-sms --'",
    },
    {
      description: 'Send with Twilio, and serve its webhooks for receipts and received texts.',
      command:
        '<%= config.bin %> phone --driver http --option preset=twilio --option account=AC0011 ' +
        '--option from=+12025550100 --option public-url=https://sms.example.com --listen 8480',
    },
    { description: 'Use a saved setup.', command: '<%= config.bin %> phone --use stick' },
    {
      description: 'In a script, send one message.',
      command: '<%= config.bin %> phone --use stick --once --json',
    },
  ]
  static override flags = {
    ...driverFlags,
    ...runningFlags,
    ...useFlag,
    'show-texts': boolean({
      description: 'Print numbers and received texts also without a terminal.',
      env: 'SMSRELAY_SHOW_TEXTS',
    }),
    once: boolean({
      description: 'End after one message, or at once if none can be sent now.',
      env: 'SMSRELAY_ONCE',
    }),
    // Lines are all that the phone prints; scripts that ask for them run as they are.
    plain: boolean({ hidden: true }),
  }

  readonly #outcome = new OnceOutcome()
  #showTexts = false

  async run(): Promise<void> {
    limitHeapGrowth()
    const flags = await applySetup(await this.parse(Phone), this.io.env)
    // Without a terminal the lines go to a log, such as the journal of systemd.
    const isAskedFor = flags['show-texts'] === true || flags['no-forward'] === true
    this.#showTexts = isAskedFor || this.io.stdout.isTTY === true
    const drivers = await this.#requireDrivers(flags.driver)
    const concurrency = parseConcurrency(flags.concurrency)
    if (flags.once && (concurrency ?? 1) > 1) throw onceWithConcurrencyError()
    const rates = (flags.rate ?? []).map(parseRate)
    const quiet = createQuietHours(flags.quiet ?? [], flags['time-zone'])
    const { env, clock } = this.io
    const choice = { drivers, routes: flags.route, options: parseDriverOptions(flags) }
    await using driver = createDriverSet(choice, { env, clock, stateDir: getStateDir(env) })
    const phone = createPhoneIdentity(flags.name, hostname(), driver.name)
    const connection = await this.resolveKeys(flags, ['app'])
    const warn = (error: string) => this.#printEvent({ event: 'journal', error })
    await using journal = await openJournal(flags, connection, env, warn)
    const directory = journal?.directory
    await using rateLimiter = await openRateLimiter(rates, { warn, clock, directory })
    await using _webhooks = await this.#openWebhooks(flags.listen, driver)
    const result = await runPhone({
      driver,
      concurrency,
      rateLimiter,
      quiet,
      clock,
      stop: this.signal,
      force: this.forceSignal,
      once: flags.once,
      rates: flags.rate,
      forward: !flags['no-forward'],
      journal: journal?.attempts,
      received: journal?.received,
      receipts: journal?.receipts,
      client: await createPhoneClient({ ...connection, phone }, journal),
      onEvent: event => this.#printEvent(event),
    })
    this.printLine({ event: 'end', ...result }, () => undefined)
    this.printNote(`${result.sent} sent, ${result.failed} failed, ${result.unknown} unknown.`)
    this.#setExitCode(flags.once ? this.#outcome.getExitCode(result) : undefined)
  }

  #setExitCode(once: number | undefined): void {
    if (once !== undefined) this.setExitCode(once)
    if (this.forceSignal.aborted && this.isInterrupted) this.setExitCode(exitCodes.interrupted)
  }

  async #openWebhooks(listen: string | undefined, driver: Driver) {
    return await openPhoneWebhooks(listen, driver, {
      clock: this.io.clock,
      warn: error => this.#printEvent({ event: 'webhook', error }),
      onListening: url => this.#printEvent({ event: 'listening', url }),
    })
  }

  async #requireDrivers(drivers: readonly string[] = []): Promise<readonly string[]> {
    if (drivers.length > 0) return drivers
    const hint = 'Try --driver simulate, which sends nothing, or type: smsrelay phone setup'
    const question = { name: '--driver', message: 'Driver', default: 'simulate', hint }
    return [await this.requireValue(undefined, question)]
  }

  #printEvent(event: PhoneEvent): void {
    this.#outcome.addEvent(event)
    const time = new Date(this.io.clock.now()).toISOString()
    this.printLine({ time, ...event }, each => formatPhoneEvent(each, this.#showTexts))
  }
}

function onceWithConcurrencyError(): RelayError {
  return new RelayError('usage', '--once and --concurrency cannot be used together.', {
    hint: 'Remove --concurrency: --once sends one message.',
  })
}
