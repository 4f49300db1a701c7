import { hostname } from 'node:os'
import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/api-command.js'
import { type Connection, type ConnectionFlags, resolveConnection } from '../src/cli/connection.js'
import { driverHelp } from '../src/cli/driver-help.js'
import { exitCodes } from '../src/cli/exit-codes.js'
import { phoneIdentity } from '../src/cli/phone-identity.js'
import { driverOptions, phoneLine } from '../src/cli/phone-options.js'
import { defaultJournalDir } from '../src/cli/places.js'
import { integer } from '../src/cli/values.js'
import { RelayClient, type RelayClientOptions } from '../src/client/relay-client.js'
import { RelayError } from '../src/errors.js'
import { createDrivers } from '../src/phone/drivers/several.js'
import type { PhoneEvent } from '../src/phone/events.js'
import { type FileJournal, journalName, openFileJournal } from '../src/phone/file-journal.js'
import { type OpenPace, openPace } from '../src/phone/pace/open-pace.js'
import { parseRate, type Rate } from '../src/phone/pace/rate.js'
import { runPhones } from '../src/phone/phones.js'
import { createQuietHours } from '../src/phone/quiet/quiet-hours.js'

const onceAlone = '--once takes one message; leave --concurrency out.'

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
    driver: string({
      description:
        'How texts are sent: modem, smpp, http, termux, gammu, mmcli, kdeconnect, exec or simulate. ' +
        'Repeated with names for several: a=modem, with --option a.KEY=VALUE.',
      helpValue: 'NAME',
      env: 'SMSRELAY_DRIVER',
      multiple: true,
      multipleNonGreedy: true,
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
    route: string({
      description:
        'Drivers by number: +49=a, *=b,a; the longest prefix counts, the next driver sends what the one before could not.',
      helpValue: 'PREFIX=DRIVER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    concurrency: string({
      description: 'Messages in hand at a time, 1 to 64. [default: 1]',
      helpValue: 'N',
    }),
    rate: string({
      description:
        'Parts sent at most in a time: 30/min, or /s, /h, /d; can be repeated. The shortest also spaces them, with ' +
        'random shares; a tenth of it, 10 at most, may go at once.',
      helpValue: 'PARTS/TIME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    quiet: string({
      description:
        'Hours in which nothing is taken: 22:00-07:00, "sat,sun 00:00-10:00", "mon-fri 20:00-24:00"; can be repeated.',
      helpValue: 'HOURS',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'time-zone': string({
      description: "Zone of the quiet hours, such as Europe/Berlin. [default: the system's]",
      helpValue: 'ZONE',
    }),
    name: string({
      description: "How `smsrelay status` calls this phone. [default: the host's name]",
      helpValue: 'NAME',
      env: 'SMSRELAY_PHONE_NAME',
    }),
    journal: string({
      description:
        'Directory of the journal, for this phone alone. [default: one for each relay and account]',
      helpValue: 'DIR',
      env: 'SMSRELAY_JOURNAL_DIR',
    }),
    'no-journal': boolean({ description: 'Remember in memory only: a crash forgets.' }),
    'no-forward': boolean({
      description: 'Only show texts that come in, in place of reporting them to the relay.',
    }),
    once: boolean({
      description: 'End after one message, or at once when nothing is due or may be sent now.',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Phone)
    const drivers = await this.#drivers(flags.driver)
    const concurrency = integer('--concurrency', flags.concurrency ?? '1', 1, 64)
    if (flags.once && concurrency > 1) throw new RelayError('usage', onceAlone)
    const rates = (flags.rate ?? []).map(parseRate)
    const quiet = createQuietHours(flags.quiet ?? [], flags['time-zone'])
    await using driver = createDrivers(
      { drivers, routes: flags.route, options: driverOptions(flags) },
      { env: this.io.env },
    )
    const phone = phoneIdentity(flags.name, hostname(), driver.name)
    const connection = await resolveConnection(flags, this.io.env, ['app'])
    await using journal = flags['no-journal'] ? undefined : await this.#journal(flags, connection)
    await using pace = await this.#pace(rates, journal)
    const { signal: stop, force } = this
    const result = await runPhones({
      ...{ driver, stop, force, once: flags.once, concurrency, pace, quiet },
      forward: !flags['no-forward'],
      ...(journal === undefined ? {} : { journals: journal }),
      createClient: async worker => await clientOf({ ...connection, phone }, worker, journal),
      onEvent: event => this.#tell(event),
    })
    this.line({ event: 'end', ...result }, () => undefined)
    this.note(`${result.sent} sent, ${result.failed} failed, ${result.unknown} unknown.`)
    if (force.aborted && this.interrupted) this.endWith(exitCodes.interrupted)
  }

  async #drivers(given: readonly string[] = []): Promise<readonly string[]> {
    // One from the environment comes as it is.
    const drivers = [given].flat()
    if (drivers.length > 0) return drivers
    const question = { name: '--driver', message: 'Driver', default: 'simulate' }
    return [await this.need(undefined, question)]
  }

  async #pace(rates: readonly Rate[], journal?: FileJournal): Promise<OpenPace | undefined> {
    const warn = (error: string) => this.#tell({ event: 'journal', error })
    return await openPace(rates, { warn, ...(journal && { directory: journal.directory }) })
  }

  async #journal(flags: JournalFlags, { url, credentials }: Connection): Promise<FileJournal> {
    const { env } = this.io
    const directory = flags.journal ?? defaultJournalDir(journalName(url, credentials.user), env)
    const warn = (error: string) => this.#tell({ event: 'journal', error })
    return await openFileJournal(directory, { credentials, warn })
  }

  #tell(event: PhoneEvent): void {
    this.line({ time: new Date().toISOString(), ...event }, phoneLine)
  }
}

interface JournalFlags extends ConnectionFlags {
  readonly journal?: string | undefined
}

/** A client of its own for each loop, with the token that loop had last: who asks again gets its message again. */
async function clientOf(
  connection: RelayClientOptions,
  worker: number,
  journal?: FileJournal,
): Promise<RelayClient> {
  if (journal === undefined) return new RelayClient(connection)
  const token = await journal.token(worker)
  return new RelayClient({
    ...connection,
    ...(token === undefined ? {} : { token }),
    onToken: async issued => await journal.keepToken(worker, issued),
  })
}
