import { logFormats, logLevels } from '../domain/log-level.js'
import { RelayError } from '../errors.js'
import { isCidrRange } from '../net/address-policy.js'
import { parseKeywords } from './keywords-setting.js'
import { locationSettings } from './location-settings.js'
import {
  type Checked,
  choice,
  type Input,
  inGroup,
  integer,
  list,
  requireNonEmpty,
  type Setting,
  text,
  toggle,
} from './setting.js'
import { parseTrustProxy } from './trust-proxy-setting.js'

const port = { value: 'PORT', min: 0, max: 65_535 }
const count = { value: 'COUNT', min: 1, max: 1_000_000, reload: 'always' } as const

/** All settings of `serve`; those of {@link RelaySettings} have the same names in the library. */
export const settings = {
  config: text('Configuration file (TOML); its keys are the names of the flags.', {
    value: 'FILE',
    otherwise: 'none',
  }),
  port: integer('Port to listen on; 0 picks a free one.', { ...port, default: 8080 }),
  host: text('Address to listen on.', {
    value: 'ADDRESS',
    default: '127.0.0.1',
    parse: requireNonEmpty,
  }),
  socket: text('Unix socket to listen on, not the port; needs --base-url.', {
    value: 'FILE',
    otherwise: 'none',
    example: '/run/smsrelay/relay.sock',
    parse: requireNonEmpty,
  }),
  ...locationSettings,
  baseUrl: text('Public address, if a proxy is in front; may have a path.', {
    value: 'URL',
    example: 'https://sms.example.com',
    parse: parseBaseUrl,
  }),
  email: text('E-mail address of the owner, for the first run.', {
    value: 'EMAIL',
    default: 'owner@localhost',
  }),
  lease: integer('Longest time until a phone reports a message.', {
    value: 'SECONDS',
    min: 1,
    max: 86_400,
    default: 120,
  }),
  retain: text('How long final messages are retained: 12h, 90d, 26w.', {
    value: 'TIME',
    otherwise: 'no limit',
    example: '90d',
    parse: parseRetention,
  }),
  retainLogs: text('How long audit log and log of deliveries are retained: 90d, 52w.', {
    value: 'TIME',
    otherwise: '365d, and 30d for deliveries',
    example: '365d',
    parse: parseRetention,
  }),
  sandbox: toggle('Test numbers (…5551212, …5551213) need no phone.'),
  keywords: text('Opt-out keywords: `stop=default,BASTA; start=ALTA; help=none`.', {
    value: 'WORDS',
    otherwise: 'STOP, START, HELP and others',
    example: 'stop=default,BASTA; start=default,ALTA; help=default,AYUDA',
    reload: 'always',
    parse: parseKeywords,
  }),
  /**
   * Whose `X-Forwarded-For` and `X-Forwarded-Proto` to believe: the number of proxies in front of
   * the relay, true for one, or their addresses, such as `10.0.0.0/8, loopback`. A number only if
   * clients cannot reach the relay without the proxies.
   */
  trustProxy: {
    kind: 'any',
    about: 'Proxies to trust: how many, or their addresses; without a value: one.',
    value: 'HOPS|CIDR',
    otherwise: 'none',
    example: 1,
    parse: parseTrustProxy,
  } satisfies Setting<boolean | number | string>,
  ...inGroup('TLS', {
    tlsCert: text('Certificate with its chain (PEM); it is read again when the file changes.', {
      value: 'FILE',
      otherwise: 'no TLS',
      example: '/etc/smsrelay/certificate.pem',
      reload: 'kept',
    }),
    tlsKey: text('Private key of the certificate (PEM).', {
      value: 'FILE',
      example: '/etc/smsrelay/key.pem',
      reload: 'kept',
    }),
  }),
  maxConnections: integer('HTTP connections at once, 1000 of one address; more get 503.', {
    ...count,
    default: 10_000,
  }),
  logLevel: choice('Lowest level to log.', logLevels, { default: 'info', reload: 'always' }),
  logFormat: choice('Form of the log; `auto` is text on a terminal, otherwise JSON.', logFormats, {
    default: 'auto',
  }),
  ...inGroup('WEBHOOKS', {
    hookAllow: list('Private range that may receive webhooks; can be repeated.', {
      value: 'CIDR',
      otherwise: 'none, or loopback if the relay is local',
      example: ['10.0.0.0/8', 'fd00::/8'],
      each: requireRange,
    }),
    maxSubscriptions: integer('Subscriptions of an account.', { ...count, min: 0, default: 100 }),
    maxWebhooks: integer('Webhooks in flight of all accounts; more of them wait.', {
      ...count,
      default: 512,
    }),
    maxWebhooksPerHost: integer('Webhooks in flight of an account to one host.', {
      ...count,
      default: 16,
    }),
  }),
  ...inGroup('MAIL', {
    smtpPort: integer('Port for mail that becomes messages; 0 picks a free one.', {
      ...port,
      otherwise: 'no mail',
      example: 2525,
    }),
    smtpTlsPort: integer(
      'Port for mail over connections that begin with TLS; it needs a certificate.',
      { ...port, otherwise: 'none', example: 465 },
    ),
    smtpDomain: text('Domain of the addresses; other mail is rejected.', {
      value: 'NAME',
      otherwise: 'the host of --base-url',
      example: 'sms.example.com',
      parse: parseDomain,
    }),
    smtpCert: text('Certificate with its chain (PEM), for TLS.', {
      value: 'FILE',
      example: '/etc/smsrelay/certificate.pem',
      reload: 'kept',
    }),
    smtpKey: text('Private key of the certificate (PEM).', {
      value: 'FILE',
      example: '/etc/smsrelay/key.pem',
      reload: 'kept',
    }),
    smtpMaxSize: integer('Largest mail in MiB; attached files are dropped while they arrive.', {
      value: 'MIB',
      min: 1,
      max: 1024,
      default: 25,
    }),
    smtpXforward: toggle('Let a mail server on this machine name its clients (XFORWARD).'),
    mailRelay: text(
      'SMTP server for alerts of accounts; set it in the environment if it has a login.',
      {
        value: 'URL',
        otherwise: 'no alerts by e-mail',
        example: 'smtps://mail.example.com',
        isSecret: true,
        parse: requireMailServer,
      },
    ),
    mailFrom: text('Sender of alerts.', {
      value: 'EMAIL',
      otherwise: 'smsrelay@ and --smtp-domain',
      example: 'smsrelay@example.com',
      parse: requireSender,
    }),
  }),
  ...inGroup('METRICS', {
    metricsPort: integer(
      'Port on 127.0.0.1 that serves /metrics, /healthz and /readyz; 0 picks a free one.',
      { ...port, otherwise: 'no metrics', example: 9090 },
    ),
    metricsToken: text(
      "Bearer token for /metrics on the relay's port; set it in the environment.",
      {
        value: 'TOKEN',
        otherwise: 'no metrics there',
        example: 'at-least-16-characters',
        isSecret: true,
        parse: requireToken,
      },
    ),
  }),
}

export type SettingName = keyof typeof settings

/** The settings as they are given, by their names in the table. */
export type SettingValues = {
  readonly [K in SettingName]?: Input<(typeof settings)[K]> | undefined
}

/** The settings after their checks, with their defaults. */
export type CheckedValues = { readonly [K in SettingName]: Checked<(typeof settings)[K]> }

export function listSettings(): readonly (readonly [SettingName, Setting])[] {
  return Object.entries(settings) as [SettingName, Setting][]
}

const minute = 60_000
const day = 24 * 60 * minute
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: day, w: 7 * day }

/** Parses a whole number and m, h, d or w to milliseconds. Throws `usage`. */
function parseRetention(typed: string): number {
  const [, digits, unit = ''] = /^([1-9]\d{0,7})([mhdw])$/.exec(typed) ?? []
  const milliseconds = Number(digits) * (units[unit] ?? Number.NaN)
  if (milliseconds <= 36_500 * day) return milliseconds
  throw new RelayError(
    'usage',
    `The retention ${typed} must be a whole number and a unit (m, h, d or w), such as 90d, ` +
      'and at most 100 years.',
    { hint: 'Leave it out to keep messages forever.' },
  )
}

function parseBaseUrl(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  const isPlain =
    url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new RelayError(
      'usage',
      `The base URL ${typed} must be an address such as https://sms.example.com.`,
      { hint: 'It may have a path, such as https://example.com/sms.' },
    )
  }
  // The path is in redirects, in cookies and in the markup of pages.
  if (/^(?:\/[\w.~%-]+)*\/*$/.test(url.pathname)) return url.href.replace(/\/+$/, '')
  throw new RelayError('usage', `The path of the base URL ${typed} is invalid.`, {
    hint: 'Use letters, digits and -._~% between slashes, such as https://example.com/sms.',
  })
}

function requireRange(typed: string): string {
  if (isCidrRange(typed)) return typed
  throw new RelayError(
    'usage',
    `The range ${typed} must be an address, a slash and the length of its prefix; ` +
      'the bits after the prefix must be 0.',
    { hint: 'Use a range such as 10.0.0.0/8, 192.168.1.7/32 or fd00::/8.' },
  )
}

function parseDomain(typed: string): string {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  if (typed.length <= 200 && typed.split('.').every(each => label.test(each))) {
    return typed.toLowerCase()
  }
  throw new RelayError('usage', `The SMTP domain ${typed} must be a name such as sms.example.com.`)
}

function requireMailServer(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  if (url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return typed
  // The setting's value can contain a password.
  throw new RelayError('usage', 'The mail relay must be an address of an SMTP server.', {
    hint: 'Write smtp://user:password@mail.example.com:587 or smtps://….',
  })
}

function requireSender(typed: string): string {
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(typed)) return typed
  throw new RelayError('usage', `The sender of alerts, ${typed}, must be an e-mail address.`)
}

function requireToken(typed: string): string {
  if (/^[\w.~+/=-]{16,}$/.test(typed)) return typed
  throw new RelayError(
    'usage',
    'The metrics token must have at least 16 characters, of A-Z a-z 0-9 - . _ ~ + / and =.',
    { hint: 'Make one with `openssl rand -hex 32`.' },
  )
}
