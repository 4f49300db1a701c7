import { boolean, string } from '@oclif/core/flags'
import {
  defaultHelpKeywords,
  defaultStartKeywords,
  defaultStopKeywords,
} from '../../domain/phone/opt-out-keywords.js'
import { connectionFlags, toConnectionSettings } from './connection-flags.js'
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
    description: 'Public address, if a proxy is in front.',
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
  'retain-audit': string({
    description: 'How long the audit log is retained: 90d, 52w.',
    defaultHelp: async () => '365d',
    env: 'SMSRELAY_RETAIN_AUDIT',
    helpValue: 'TIME',
  }),
  'backup-dir': string({
    description: 'Directory for the backups of the dashboard.',
    defaultHelp: async () => 'none',
    env: 'SMSRELAY_BACKUP_DIR',
    helpValue: 'DIR',
  }),
  sandbox: boolean({
    description: 'Test numbers (…5551212, …5551213) need no phone.',
    env: 'SMSRELAY_SANDBOX',
  }),
  'stop-words': string({
    description: 'Opt-out keywords; `default` stands for the default ones, `none` for none.',
    defaultHelp: async () => 'STOP, UNSUBSCRIBE and others',
    env: 'SMSRELAY_STOP_WORDS',
    helpValue: 'WORDS',
  }),
  'start-words': string({
    description: 'Keywords that undo an opt-out.',
    defaultHelp: async () => 'START,UNSTOP,YES',
    env: 'SMSRELAY_START_WORDS',
    helpValue: 'WORDS',
  }),
  'help-words': string({
    description: "Keywords that ask for an account's help text.",
    defaultHelp: async () => 'HELP,INFO',
    env: 'SMSRELAY_HELP_WORDS',
    helpValue: 'WORDS',
  }),
  'trust-proxy': boolean({
    description: 'Trust X-Forwarded-For and X-Forwarded-Proto of the proxy in front.',
    env: 'SMSRELAY_TRUST_PROXY',
  }),
  ...tlsFlags,
  ...connectionFlags,
  ...logFlags,
  ...webhookFlags,
  ...smtpFlags,
  ...metricsFlags,
}

type ConnectionValues = Parameters<typeof toConnectionSettings>[0]
type WebhookValues = Parameters<typeof toWebhookSettings>[0]
type SmtpValues = Parameters<typeof toSmtpSettings>[0]
type TlsValues = Parameters<typeof toTlsSettings>[0]

/** The values of {@link serveFlags}. */
export interface ServeValues
  extends ConnectionValues,
    WebhookValues,
    SmtpValues,
    TlsValues,
    MetricsValues {
  readonly config?: string | undefined
  readonly data?: string | undefined
  readonly database?: string | undefined
  readonly port?: number
  readonly host?: string
  readonly socket?: string | undefined
  readonly lease?: number
  readonly retain?: string | undefined
  readonly 'retain-audit'?: string | undefined
  readonly 'backup-dir'?: string | undefined
  readonly sandbox?: boolean
  readonly 'base-url'?: string | undefined
  readonly 'trust-proxy'?: boolean
  readonly 'stop-words'?: string | undefined
  readonly 'start-words'?: string | undefined
  readonly 'help-words'?: string | undefined
}

/** Converts the flags of `serve` to the settings of a relay, apart from where its records are. */
export function toRelaySettings(flags: ServeValues) {
  const { port, host, socket, lease, retain, sandbox } = flags
  return {
    ...{ port, host, socket, lease, retain, sandbox },
    ...toSmtpSettings(flags),
    ...toTlsSettings(flags),
    ...toMetricsSettings(flags),
    ...toConnectionSettings(flags),
    ...toWebhookSettings(flags),
    baseUrl: flags['base-url'],
    retainAudit: flags['retain-audit'],
    backupDir: flags['backup-dir'],
    trustProxy: flags['trust-proxy'],
    stopWords: parseWords(flags['stop-words'], defaultStopKeywords),
    startWords: parseWords(flags['start-words'], defaultStartKeywords),
    helpWords: parseWords(flags['help-words'], defaultHelpKeywords),
  }
}

/** The keywords of a flag; `default` among them stands for the default ones. */
function parseWords(text: string | undefined, byDefault: readonly string[]): string[] | undefined {
  if (text === 'none') return []
  const words = text?.split(',').map(word => word.trim())
  return words?.flatMap(word => (word.toLowerCase() === 'default' ? byDefault : [word]))
}
