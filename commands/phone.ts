import { hostname } from 'node:os'
import { boolean } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/command/api-command.js'
import { formatPhoneEvent, parseDriverOptions } from '../src/cli/phone/driver-flags.js'
import { driverHelp } from '../src/cli/phone/driver-help.js'
import type { LiveView } from '../src/cli/phone/live/live-view.js'
import { type LiveViewFlags, shouldShowLiveView } from '../src/cli/phone/live/live-view-options.js'
import { driverFlags, runningFlags, useFlag } from '../src/cli/phone/phone-flags.js'
import { createPhoneIdentity } from '../src/cli/phone/phone-identity.js'
import { applySetup } from '../src/cli/phone/setup/setup-flags.js'
import {
  type Connection,
  type ConnectionFlags,
  resolveConnection,
} from '../src/cli/profile/connection.js'
import { getDefaultJournalDir } from '../src/cli/profile/directories.js'
import { exitCodes } from '../src/cli/terminal/exit-codes.js'
import { parseInteger } from '../src/cli/terminal/parse-values.js'
import { RelayClient, type RelayClientOptions } from '../src/client/relay-client.js'
import { RelayError } from '../src/errors.js'
import { createDriverSet } from '../src/phone/drivers/driver-set.js'
import type { PhoneEvent } from '../src/phone/events/phone-events.js'
import {
  type FileJournal,
  getJournalName,
  openFileJournal,
} from '../src/phone/journal/file-journal.js'
import { createQuietHours } from '../src/phone/quiet-hours/quiet-hours.js'
import { type OpenRateLimiter, openRateLimiter } from '../src/phone/rate-limit/open-rate-limiter.js'
import { type PartsRate, parseRate } from '../src/phone/rate-limit/parts-rate.js'
import { runPhone } from '../src/phone/run-phone.js'

const onceWithConcurrency = '--once takes one message; leave --concurrency out.'

export default class Phone extends ApiCommand {
  static override summary = 'Send what the relay has to send: NEXT, send, report, for ever.'
  static override description =
    'Signs in with the secret key and the application key. Driver simulate sends nothing; driver exec runs a ' +
    'program for each text, never through a shell, with the number and the text as its last two arguments and ' +
    'as SMSRELAY_DESTINATION and SMSRELAY_TEXT: exit 0 means sent (a number on stdout is the number of parts), ' +
    'anything else failed, for the reason on stderr. Ctrl-C finishes the message in hand; a second one gives it up. ' +
    'A journal on disk remembers what was sent: after a crash it is reported and not sent again, and what was ' +
    `being sent is reported as unknown, so that the account's delivery mode decides.\n\n${driverHelp}`
  static override examples = [
    '<%= config.bin %> phone --driver simulate --delay 2s --failure-rate 0.1',
    "<%= config.bin %> phone --driver exec --command '/usr/local/bin/send-sms --'",
    '<%= config.bin %> phone --driver modem --option device=/dev/ttyUSB2 --option pin=1234',
    '<%= config.bin %> phone --driver gammu --option config=/etc/gammurc',
    '<%= config.bin %> phone --driver smpp --option host=smpp.example.com --option system-id=acme --concurrency 10',
    '<%= config.bin %> phone --driver http --option preset=textbee',
    '<%= config.bin %> phone --driver simulate --once --json',
    '<%= config.bin %> phone --driver simulate --option lost-rate=0.1 --option outbox=sent.ndjson',
  ]
  static override flags = {
    ...driverFlags,
    ...runningFlags,
    ...useFlag,
    plain: boolean({
      description: 'Print lines although a terminal is there, in place of the live view.',
    }),
    once: boolean({
      description: 'End after one message, or at once when nothing is due or may be sent now.',
    }),
  }

  #shown: LiveView | undefined

  async run(): Promise<void> {
    const flags = await applySetup(await this.parse(Phone), this.io.env)
    const drivers = await this.#drivers(flags.driver)
    const concurrency = parseInteger('--concurrency', flags.concurrency ?? '1', 1, 64)
    if (flags.once && concurrency > 1) throw new RelayError('usage', onceWithConcurrency)
    const rates = (flags.rate ?? []).map(parseRate)
    const quiet = createQuietHours(flags.quiet ?? [], flags['time-zone'])
    await using driver = createDriverSet(
      { drivers, routes: flags.route, options: parseDriverOptions(flags) },
      { env: this.io.env, clock: this.io.clock },
    )
    const phone = createPhoneIdentity(flags.name, hostname(), driver.name)
    const connection = await resolveConnection(flags, this.io.env, ['app'])
    await using journal = flags['no-journal'] ? undefined : await this.#journal(flags, connection)
    await using pace = await this.#pace(rates, journal)
    const { signal: stop, forceSignal: force } = this
    using live = await this.#live(flags, connection, rates)
    this.#shown = live
    const result = await runPhone({
      ...{ driver, stop, force, once: flags.once, concurrency, rateLimiter: pace, quiet },
      clock: this.io.clock,
      forward: !flags['no-forward'],
      ...(journal === undefined ? {} : { journals: journal }),
      createClient: async worker =>
        await createWorkerClient({ ...connection, phone }, worker, journal),
      onEvent: event => this.#tell(event),
    })
    live?.[Symbol.dispose]()
    this.#shown = undefined
    this.printLine({ event: 'end', ...result }, () => undefined)
    this.printNote(`${result.sent} sent, ${result.failed} failed, ${result.unknown} unknown.`)
    if (force.aborted && this.isInterrupted) this.setExitCode(exitCodes.interrupted)
  }

  /** The live view, where somebody looks; lines where it cannot be had. */
  async #live(
    flags: LiveViewFlags,
    connection: Connection,
    rates: readonly PartsRate[],
  ): Promise<LiveView | undefined> {
    if (!shouldShowLiveView({ ...flags, json: this.json }, this.io)) return undefined
    const { openPhoneLiveView: watchLive } = await import(
      '../src/cli/phone/live/live-view-phone.js'
    )
    return await watchLive({ io: this.io, connection, rates }).catch((error: Error) => {
      this.printNote(error.message)
      return undefined
    })
  }

  async #drivers(given: readonly string[] = []): Promise<readonly string[]> {
    if (given.length > 0) return given
    const question = { name: '--driver', message: 'Driver', default: 'simulate' }
    return [await this.requireValue(undefined, question)]
  }

  async #pace(
    rates: readonly PartsRate[],
    journal?: FileJournal,
  ): Promise<OpenRateLimiter | undefined> {
    const warn = (error: string) => this.#tell({ event: 'journal', error })
    return await openRateLimiter(rates, {
      warn,
      clock: this.io.clock,
      ...(journal && { directory: journal.directory }),
    })
  }

  async #journal(flags: JournalFlags, { url, credentials }: Connection): Promise<FileJournal> {
    const { env } = this.io
    const directory =
      flags.journal ?? getDefaultJournalDir(getJournalName(url, credentials.user), env)
    const warn = (error: string) => this.#tell({ event: 'journal', error })
    return await openFileJournal(directory, { credentials, warn })
  }

  #tell(event: PhoneEvent): void {
    const told = { time: new Date().toISOString(), ...event }
    if (this.#shown === undefined) this.printLine(told, formatPhoneEvent)
    else this.#shown.addEvent(event)
  }
}

interface JournalFlags extends ConnectionFlags {
  readonly journal?: string | undefined
}

/** A client of its own for each loop, with the token that loop had last: who asks again gets its message again. */
async function createWorkerClient(
  connection: RelayClientOptions,
  worker: number,
  journal?: FileJournal,
): Promise<RelayClient> {
  if (journal === undefined) return new RelayClient(connection)
  const token = await journal.readToken(worker)
  return new RelayClient({
    ...connection,
    ...(token === undefined ? {} : { token }),
    onToken: async issued => await journal.saveToken(worker, issued),
  })
}
