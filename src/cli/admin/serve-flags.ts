import { boolean, string } from '@oclif/core/flags'
import {
  defaultHelpKeywords,
  defaultStartKeywords,
  defaultStopKeywords,
} from '../../domain/phone/opt-out-keywords.js'
import { RelayError } from '../../errors.js'
import { integer } from './integer-flag.js'
import { databaseFlag, dataFlag, migrateFlag } from './location-flags.js'
import { logFlags } from './log-flags.js'
import { type MetricsValues, metricsFlags, toMetricsSettings } from './metrics-flags.js'
import { smtpFlags, toSmtpSettings } from './smtp-flags.js'
import { tlsFlags, toTlsSettings } from './tls-flags.js'
import { toWebhookSettings, webhookFlags } from './webhook-flags.js'

export const serveFlags = {
  config: string({
    description: 'Configuration file (TOML); its keys are the names of the flags.',
    defaultHelp: async () => 'none',
    env: 'SMSRELAY_CONFIG',
    helpValue: 'FILE',
  }),
  port: integer({
    description: 'Port to listen on; 0 picks a free one.',
    env: 'SMSRELAY_PORT',
    helpValue: 'PORT',
    default: 8080,
  }),
  host: string({
    description: 'Address to listen on.',
    env: 'SMSRELAY_HOST',
    helpValue: 'ADDRESS',
    default: '127.0.0.1',
  }),
  socket: string({
    description: 'Unix socket to listen on, not the port; needs --base-url.',
    defaultHelp: async () => 'none',
    env: 'SMSRELAY_SOCKET',
    helpValue: 'FILE',
  }),
  data: dataFlag,
  database: databaseFlag,
  migrate: migrateFlag,
  'base-url': string({
    description: 'Public address, if a proxy is in front; may have a path.',
    env: 'SMSRELAY_BASE_URL',
    helpValue: 'URL',
  }),
  email: string({
    description: 'E-mail address of the owner, for the first run.',
    env: 'SMSRELAY_EMAIL',
    helpValue: 'EMAIL',
    default: 'owner@localhost',
  }),
  lease: integer({
    description: 'Longest time until a phone reports a message.',
    env: 'SMSRELAY_LEASE',
    helpValue: 'SECONDS',
    default: 120,
  }),
  retain: string({
    description: 'How long final messages are retained: 12h, 90d, 26w.',
    defaultHelp: async () => 'no limit',
    env: 'SMSRELAY_RETAIN',
    helpValue: 'TIME',
  }),
  'retain-logs': string({
    description: 'How long audit log and log of deliveries are retained: 90d, 52w.',
    defaultHelp: async () => '365d, and 30d for deliveries',
    env: 'SMSRELAY_RETAIN_LOGS',
    helpValue: 'TIME',
  }),
  sandbox: boolean({
    description: 'Test numbers (…5551212, …5551213) need no phone.',
    env: 'SMSRELAY_SANDBOX',
  }),
  keywords: string({
    description: 'Opt-out keywords: `stop=default,BASTA; start=ALTA; help=none`.',
    defaultHelp: async () => 'STOP, START, HELP and others',
    env: 'SMSRELAY_KEYWORDS',
    helpValue: 'WORDS',
  }),
  'trust-proxy': string({
    description: 'Proxies to trust: how many, or their addresses; without a value: one.',
    defaultHelp: async () => 'none',
    env: 'SMSRELAY_TRUST_PROXY',
    helpValue: 'HOPS|CIDR',
  }),
  ...tlsFlags,
  'max-connections': integer({
    description: 'HTTP connections at once, 1000 of one address; more get 503.',
    env: 'SMSRELAY_MAX_CONNECTIONS',
    helpValue: 'COUNT',
    default: 10_000,
  }),
  ...logFlags,
  ...webhookFlags,
  ...smtpFlags,
  ...metricsFlags,
}

/** `--trust-proxy` may have no value, which oclif does not know. */
export function completeServeArguments(argv: readonly string[]): string[] {
  return argv.map((word, at) =>
    word === '--trust-proxy' && (argv[at + 1] ?? '-').startsWith('-') ? '--trust-proxy=1' : word,
  )
}

type WebhookValues = Parameters<typeof toWebhookSettings>[0]
type SmtpValues = Parameters<typeof toSmtpSettings>[0]
type TlsValues = Parameters<typeof toTlsSettings>[0]

export interface ServeValues extends WebhookValues, SmtpValues, TlsValues, MetricsValues {
  readonly config?: string | undefined
  readonly data?: string | undefined
  readonly database?: string | undefined
  readonly port?: number
  readonly host?: string
  readonly socket?: string | undefined
  readonly lease?: number
  readonly retain?: string | undefined
  readonly 'max-connections'?: number
  readonly 'retain-logs'?: string | undefined
  readonly sandbox?: boolean
  readonly 'base-url'?: string | undefined
  readonly 'trust-proxy'?: string | undefined
  readonly keywords?: string | undefined
}

export function toRelaySettings(flags: ServeValues) {
  const { port, host, socket, lease, retain, sandbox } = flags
  return {
    ...{ port, host, socket, lease, retain, sandbox },
    ...toSmtpSettings(flags),
    ...toTlsSettings(flags),
    ...toMetricsSettings(flags),
    ...toWebhookSettings(flags),
    baseUrl: flags['base-url'],
    maxConnections: flags['max-connections'],
    retainLogs: flags['retain-logs'],
    trustProxy: flags['trust-proxy'],
    ...parseKeywords(flags.keywords),
  }
}

const keywordKinds = {
  stop: { setting: 'stopWords', byDefault: defaultStopKeywords },
  start: { setting: 'startWords', byDefault: defaultStartKeywords },
  help: { setting: 'helpWords', byDefault: defaultHelpKeywords },
} as const

type KeywordSettings = Partial<Record<'stopWords' | 'startWords' | 'helpWords', readonly string[]>>

/** Parses `stop=default,BASTA; help=none`; a kind that is left out has its default. */
function parseKeywords(text = ''): KeywordSettings {
  const settings: KeywordSettings = {}
  for (const part of text.split(';').filter(each => each.trim() !== '')) {
    const [, name = '', words = ''] = /^\s*(stop|start|help)\s*=(.*)$/s.exec(part) ?? []
    const kind = keywordKinds[name as keyof typeof keywordKinds]
    if (kind === undefined || settings[kind.setting] !== undefined) {
      throw new RelayError(
        'usage',
        `The keywords "${part.trim()}" need one of stop, start, help.`,
        {
          hint: 'Write each once, such as `stop=default,BASTA; start=ALTA; help=none`.',
        },
      )
    }
    const list = words.split(',').map(word => word.trim())
    settings[kind.setting] =
      words.trim() === 'none'
        ? []
        : list.flatMap(word => (word.toLowerCase() === 'default' ? kind.byDefault : [word]))
  }
  return settings
}
