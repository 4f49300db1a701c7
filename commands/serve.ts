import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FirstRun, formatFirstRun, saveFirstRun } from '../src/cli/admin/first-run.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { type LocationFlags, readLocation } from '../src/cli/config/location-flags.js'
import { type PassedSockets, readPassedSockets } from '../src/cli/config/passed-sockets.js'
import { type ReadSettings, readSettings } from '../src/cli/config/read-settings.js'
import {
  createReload,
  getServeEndSignals,
  listenForReload,
} from '../src/cli/config/reload-settings.js'
import { completeServeArguments, serveFlags } from '../src/cli/config/serve-flags.js'
import { assertNoProblems } from '../src/cli/config/settings-view.js'
import {
  findSavingProblem,
  saveOwnerProfile,
  updateProfileAddresses,
} from '../src/cli/profile/owner-profile.js'
import { assertProfileName } from '../src/cli/profile/profile.js'
import { ServiceNotifier } from '../src/cli/service/service-notifier.js'
import { stopRelay } from '../src/cli/service/stop-relay.js'
import { exitCodes } from '../src/cli/terminal/exit-codes.js'
import { type EndSignal, print } from '../src/cli/terminal/io.js'
import { isRelayError } from '../src/errors.js'
import type { DatabaseSettings } from '../src/server/config/relay-config.js'
import type { OpenLog } from '../src/server/log/open-log.js'
import type { Relay } from '../src/server/open-relay.js'
import type { SettingValues } from '../src/settings/settings.js'
import { waitForAbort, waitUnlessAborted } from '../src/util/async/abort.js'

interface NewOwner {
  readonly dataDir: string | undefined
  readonly email: string
  readonly address: string
  readonly profile?: string | undefined
}

/** Where the records are, both fields given, because `database` replaces the setting's URL. */
interface FixedSettings extends PassedSockets {
  readonly dataDir: string | undefined
  readonly database: DatabaseSettings | undefined
}

export default class Serve extends BaseCommand {
  static override summary = 'Run a relay: dashboard, REST interface, secret URLs, mail, webhooks.'
  static override description =
    "The first run on an empty data directory creates the owner's account, prints its keys once " +
    '(without a terminal and --json it writes them to a file) and saves them as the default ' +
    'profile, so that the other commands work at once. ' +
    'Ctrl-C or SIGTERM finishes what is in progress and stops the relay, within 10 seconds. ' +
    'Without a terminal, SIGHUP reads certificates, log level, limits and opt-out keywords again.'
  static override examples = [
    { description: 'Run a relay on this machine.', command: '<%= config.bin %> serve' },
    {
      description: 'Run a relay behind a proxy, and delete old messages.',
      command: '<%= config.bin %> serve --base-url https://sms.example.com --retain 90d',
    },
    {
      description: 'Listen on a Unix socket, for a proxy on this machine.',
      command:
        '<%= config.bin %> serve --socket /run/smsrelay/relay.sock ' +
        '--base-url https://sms.example.com --trust-proxy 1',
    },
    {
      description: 'Run one of several nodes on a database.',
      command: '<%= config.bin %> serve --database postgres://smsrelay@db.example.com/relay',
    },
    {
      description: 'Run a relay with the settings of a file.',
      command: '<%= config.bin %> serve --config /etc/smsrelay.toml',
    },
    {
      description: 'Receive mail, which becomes messages.',
      command: '<%= config.bin %> serve --smtp-port 2525 --smtp-domain sms.example.com',
    },
  ]
  static override flags = serveFlags

  async run(): Promise<void> {
    const parsed = await this.parse(Serve, completeServeArguments(this.argv))
    if (parsed.flags.profile !== undefined) assertProfileName(parsed.flags.profile)
    const { createRelay } = await import('../src/server/open-relay.js')
    const load = async () => await readSettings(parsed, this.io)
    const { values, fromFile, problems } = await load()
    assertNoProblems(problems, values.config)
    const { data, database } = parsed.flags
    const fixed = await this.#readFixedSettings({ data, database }, values, fromFile)
    const settings = { ...values, ...fixed }
    await using log = await this.#openLog(values)
    const warn = (sentence: string): void => log.write('warn', 'warning', sentence)
    const reportDefect = await this.#createDefectReporter(log)
    const overrides = { clock: this.io.clock, version: await readVersion(this.config.root), log }
    const created = createRelay(settings, { ...overrides, warn, reportDefect })
    const relay = await this.#waitForStart(created, log)
    const service = new ServiceNotifier(this.io, relay.isStuck)
    const apply = async (next: ReadSettings['values']): Promise<void> => {
      await relay.reload({ ...next, ...fixed })
      log.setLevel(next.logLevel)
    }
    const report = (sentence: string): void => log.write('warn', 'reload', sentence)
    const reload = service.wrapReload(createReload({ values, load, apply, report }))
    try {
      await this.#waitForStart(relay.start(), log)
      const address = getProfileAddress(relay.url, values.baseUrl)
      await this.#prepareAccounts(relay, { ...values, address, dataDir: fixed.dataDir }, warn)
      this.#announce(relay, log)
      service.setReady(relay.url)
      const stopReloading = listenForReload(this.io, reload, reportDefect)
      await waitForAbort(this.signal)
      stopReloading()
      service.setStopping()
      log.write('info', 'stopping', log.isText ? stoppingNoteForPeople : stoppingNote)
    } finally {
      await this.#stop(relay, log)
      service.close()
    }
    log.write('info', 'stopped', 'The relay has stopped.')
  }

  /**
   * Waits for a part of the start, which can take long: a store is read, or a database is migrated.
   * A signal ends the program at once, because what an unfinished start has done needs no undoing.
   */
  async #waitForStart<T>(work: Promise<T>, log: OpenLog): Promise<T> {
    return await waitUnlessAborted(work, this.signal, async () => {
      log.write('info', 'stopped', 'The start was interrupted.')
      await log[Symbol.asyncDispose]()
      this.io.forceExit(exitCodes.ok)
    })
  }

  async #stop(relay: Relay, log: OpenLog): Promise<void> {
    const onLate = (): void => {
      log.write('error', 'stop_timed_out', lateNote)
      this.io.forceExit(exitCodes.failed)
    }
    await stopRelay(relay, { clock: this.io.clock, onLate })
  }

  /** The settings that no reload changes: where the records are, and sockets of the parent. */
  async #readFixedSettings(
    flags: LocationFlags,
    { migrate }: SettingValues,
    fromFile: LocationFlags,
  ): Promise<FixedSettings> {
    const sockets = readPassedSockets(this.io.env, process.pid)
    const { dataDir, database } = await readLocation(flags, this.io, fromFile)
    return { dataDir, database: database && { ...database, migrate }, ...sockets }
  }

  /**
   * Creates the owner's account, or updates the address in the profiles of the accounts. A user
   * without a place for profiles gets a warning.
   */
  async #prepareAccounts(
    { administration }: Relay,
    { dataDir, email, profile, address }: NewOwner,
    warn: (sentence: string) => void,
  ): Promise<void> {
    const accounts = await administration.listAccounts()
    if (accounts.length > 0) {
      const secretKeys = accounts.map(each => each.secret_key)
      return await updateProfileAddresses(secretKeys, address).catch(error => {
        if (!isRelayError(error, 'configuration')) throw error
        warn(error.message)
      })
    }
    // Damaged profiles, or no place at all, end the start before there are keys to save.
    const problem = await findSavingProblem()
    const isShown = this.json || this.io.stdout.isTTY === true
    if (problem !== undefined && dataDir === undefined && !isShown) throw problem
    const account = await administration.createFirstAccount({ email })
    if (account === undefined) return
    if (problem !== undefined) warn(`${problem.message} ${problem.hint}`)
    const saved =
      problem === undefined ? await saveOwnerProfile(account, address, profile) : undefined
    await this.#printFirstRun({ account, dataDir, profile: saved, address })
  }

  /** Keys go to a terminal or to a program that reads JSON, but never into a log. */
  async #printFirstRun(run: FirstRun): Promise<void> {
    const { env, stdout } = this.io
    if (this.json) return this.printLine({ event: 'account', ...run.account }, () => undefined)
    const text = stdout.isTTY === true ? formatFirstRun(run, env) : await saveFirstRun(run, env)
    print(stdout, `${text}\n`, env)
  }

  protected override get endSignals(): readonly EndSignal[] {
    return getServeEndSignals(this.io)
  }

  #announce(relay: Relay, log: OpenLog): void {
    const { url, smtpUrl: smtp, smtpsUrl: smtps, metricsUrl } = relay
    const mail = { ...(smtp && { smtp }), ...(smtps && { smtps }) }
    const metrics = metricsUrl === undefined ? {} : { metrics: metricsUrl }
    this.printLine({ event: 'listening', url, ...mail, ...metrics }, () => `Listening on ${url}`)
    logAddresses(log, relay)
  }

  async #createDefectReporter(log: OpenLog) {
    const { createDefectReporter } = await import('../src/server/log/report-defect.js')
    return createDefectReporter(log, !log.isText || this.io.env.SMSRELAY_DEBUG === '1')
  }

  async #openLog({ logLevel: level, logFormat: format }: ReadSettings['values']): Promise<OpenLog> {
    const { openLog } = await import('../src/server/log/open-log.js')
    const { stderr: stream, clock } = this.io
    return openLog({ stream, level, format, clock })
  }
}

function logAddresses(log: OpenLog, { url, smtpUrl, smtpsUrl, metricsUrl }: Relay): void {
  const listening = (what: string, on: string | undefined): void => {
    if (on !== undefined) log.write('info', 'listening', `${what} on ${on}`, { url: on })
  }
  // A terminal already shows the line on stdout.
  if (!log.isText) listening('Listening', url)
  listening('Receiving mail', smtpUrl)
  listening('Receiving mail', smtpsUrl)
  listening('Metrics', metricsUrl)
}

const lateNote =
  'The relay has not stopped within 10 seconds and ends now; what it confirmed is stored.'
const stoppingNote = 'Stopping after the requests in progress. A second signal stops at once.'
const stoppingNoteForPeople =
  'Stopping after the requests in progress. Press Ctrl-C again to stop at once.'

/**
 * Certificates are seldom valid for the address that the relay listens on, and a Unix socket has
 * none.
 */
function getProfileAddress(url: string, baseUrl = url): string {
  return url.startsWith('http:') ? url : baseUrl
}

async function readVersion(root: string): Promise<string> {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
}
