import { boolean, integer, string } from '@oclif/core/flags'
import { dataFlag } from '../src/cli/admin/admin-command.js'
import { formatNewRelay, getProgramName } from '../src/cli/admin/serve-view.js'
import { smtpFlags, toSmtpSettings } from '../src/cli/admin/smtp-flags.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { getDefaultDataDir } from '../src/cli/profile/directories.js'
import { saveOwnerProfile, updateProfileAddresses } from '../src/cli/profile/owner-profile.js'
import { errorText } from '../src/errors.js'

const defaultOwner = 'owner@localhost'

export default class Serve extends BaseCommand {
  static override summary =
    'Run the service: dashboard, REST interface, secret URLs, e-mail and the delivery of events.'
  static override description =
    `The first run on an empty data directory makes the owner's account, prints its keys once and
saves them as this machine's default profile, so that every other command works at once.
Ctrl-C or SIGTERM finishes what is in hand and ends it.`
  static override examples = [
    '<%= config.bin %> serve',
    '<%= config.bin %> serve --sandbox',
    '<%= config.bin %> serve --retain 90d',
    '<%= config.bin %> serve --host 0.0.0.0 --base-url https://sms.example.com',
    '<%= config.bin %> serve --smtp-port 2525 --smtp-domain sms.example.com',
  ]
  static override flags = {
    port: integer({
      description: 'Port to listen on; 0 picks a free one.',
      env: 'SMSRELAY_PORT',
      default: 8080,
    }),
    host: string({
      description: 'Address to listen on.',
      env: 'SMSRELAY_HOST',
      default: '127.0.0.1',
    }),
    data: dataFlag,
    'base-url': string({
      description: 'Public address, for links behind a proxy.',
      env: 'SMSRELAY_BASE_URL',
      helpValue: 'URL',
    }),
    email: string({
      description: "E-mail address of the owner's account, made on the first run.",
      env: 'SMSRELAY_EMAIL',
      default: defaultOwner,
    }),
    lease: integer({
      description: 'Seconds a phone may keep a message before it reports.',
      env: 'SMSRELAY_LEASE',
      default: 120,
    }),
    retain: string({
      description:
        'How long messages are kept after they were sent, failed, blocked or deleted, such as 12h, 90d or 26w. ' +
        '[default: for ever]',
      env: 'SMSRELAY_RETAIN',
      helpValue: 'TIME',
    }),
    sandbox: boolean({
      description: 'Settle messages to test numbers (...5551212, ...5551213) without a phone.',
      env: 'SMSRELAY_SANDBOX',
    }),
    'stop-words': string({
      description:
        'Words, with commas between them, that put the sender of a text that is nothing else on the Do Not Text list; ' +
        '`none`: no text does. [default: STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT]',
      env: 'SMSRELAY_STOP_WORDS',
      helpValue: 'WORDS',
    }),
    'start-words': string({
      description:
        'Words that take a sender off again whom such a word put there. [default: START,UNSTOP,YES]',
      env: 'SMSRELAY_START_WORDS',
      helpValue: 'WORDS',
    }),
    'trust-proxy': boolean({
      description:
        'Take who a request is from, and whether over TLS, out of X-Forwarded-For and X-Forwarded-Proto, as the proxy in front set them.',
      env: 'SMSRELAY_TRUST_PROXY',
    }),
    'hook-allow': string({
      description:
        'Range that hits may go to although it is not public, such as 10.0.0.0/8; may be given again, or with commas. ' +
        '[default: none; loopback while only this machine can reach the service]',
      env: 'SMSRELAY_HOOK_ALLOW',
      helpValue: 'CIDR',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...smtpFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    const { createRelay } = await import('../src/server/open-relay.js')
    const dataDir = flags.data ?? getDefaultDataDir(this.io.env)
    const stopped = waitUntilAborted(this.signal)
    const { 'base-url': baseUrl, 'trust-proxy': trustProxy } = flags
    const hookAllow = parseList(flags['hook-allow'])
    const stopWords = parseWords(flags['stop-words'])
    const startWords = parseWords(flags['start-words'])
    const heard = { stopWords, startWords }
    const own = { ...heard, ...toSmtpSettings(flags), baseUrl, trustProxy, hookAllow, dataDir }
    const settings = { ...flags, ...own }
    const relay = await createRelay(settings, {
      warn: sentence => this.io.stderr.write(`smsrelay: ${sentence}\n`),
      reportDefect: error => this.#tell(error),
    })
    try {
      await relay.start()
      const accounts = await relay.administration.listAccounts()
      if (accounts.length === 0) {
        const account = await relay.administration.createAccount({ email: flags.email })
        const saved = await saveOwnerProfile(account, relay.url, flags.profile)
        this.printLine({ event: 'account', ...account }, () =>
          formatNewRelay(account, {
            dataDir,
            profile: saved,
            program: getProgramName(this.io.env),
          }),
        )
      } else {
        await updateProfileAddresses(
          accounts.map(account => account.secret_key),
          relay.url,
        )
      }
      const { url, smtpUrl } = relay
      const mail = smtpUrl === undefined ? {} : { smtp: smtpUrl }
      this.printLine({ event: 'listening', url, ...mail }, () => `Listening on ${url}`)
      if (smtpUrl !== undefined) this.printNote(`Taking mail on ${smtpUrl}`)
      await stopped
      this.printNote('Stopping: finishing what is in hand. Press Ctrl-C again to end at once.')
    } finally {
      await relay.stop()
    }
  }

  #tell(error: unknown): void {
    const text = errorText(error)
    const detail = this.io.env.SMSRELAY_DEBUG === '1' && error instanceof Error ? error.stack : text
    this.io.stderr.write(`smsrelay: internal error: ${detail}\n`)
  }
}

function parseWords(given: string | undefined): string[] | undefined {
  return given === 'none' ? [] : given?.split(',').map(word => word.trim())
}

/** The parser gives several flags as a list, but the environment as one text. */
function parseList(given: string | readonly string[] | undefined): string[] {
  const texts = [given ?? []].flat().flatMap(text => text.split(','))
  return texts.map(text => text.trim()).filter(text => text !== '')
}

function waitUntilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
