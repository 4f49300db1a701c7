import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  defaultStartKeywords,
  defaultStopKeywords,
  toKeywords,
} from '../../../src/domain/phone/opt-out-keywords.js'
import { isRelayError } from '../../../src/errors.js'
import { connectionLimits } from '../../../src/net/server/connection-limits.js'
import {
  mailLimits,
  parseRelayConfig,
  type RelaySettings,
} from '../../../src/server/config/relay-config.js'

test('all settings but the data directory have defaults', () => {
  expect(parseRelayConfig({ dataDir: '/data' })).toEqual({
    location: { dataDir: '/data' },
    listen: { host: '127.0.0.1', port: 8080 },
    baseUrl: undefined,
    sandbox: false,
    lease: 120_000,
    retain: Number.POSITIVE_INFINITY,
    retainLogs: { audit: 365 * 24 * 60 * 60 * 1000, deliveries: 30 * 24 * 60 * 60 * 1000 },
    tokenLifetime: 28_800_000,
    trustProxy: undefined,
    tls: undefined,
    mailRelay: undefined,
    metrics: { listen: undefined, token: undefined },
    keywords: toKeywords(defaultStopKeywords, defaultStartKeywords),
    limits: connectionLimits,
    smtp: {
      port: undefined,
      tlsPort: undefined,
      maxSize: 25 * 1024 * 1024,
      host: '127.0.0.1',
      domain: 'localhost',
      tls: undefined,
      xForward: false,
      limits: mailLimits,
    },
    webhooks: {
      allow: [],
      loopback: true,
      maxSubscriptions: 100,
      inFlight: 512,
      inFlightPerAccount: 64,
      inFlightPerHost: 16,
      dnsServers: undefined,
    },
  })
})

test('a relative data directory is resolved against the working directory', () => {
  expect(parseRelayConfig({ dataDir: 'data/here/..' }).location).toEqual({
    dataDir: resolve('data'),
  })
})

test.each<[Partial<RelaySettings>, object]>([
  [{ port: 0 }, { listen: { port: 0 } }],
  [
    { keywords: 'stop=Stopp!,Halt  mal' },
    { keywords: toKeywords(['stopp', 'halt mal'], defaultStartKeywords) },
  ],
  [{ keywords: 'help=Hilfe' }, { keywords: { help: new Set(['hilfe']) } }],
  [{ keywords: 'stop=none; start=none' }, { keywords: { stop: new Set(), start: new Set() } }],
  [{ port: 65_535 }, { listen: { port: 65_535 } }],
  [{ listenFd: 3 }, { listen: { fd: 3 }, webhooks: { loopback: false } }],
  [{ metricsFd: 4 }, { metrics: { listen: { fd: 4 } } }],
  [{ metricsPort: 0 }, { metrics: { listen: { host: '127.0.0.1', port: 0 } } }],
  ...[
    ['smtp://127.0.0.1:25', false],
    ['smtp://ann:secret@mail.example.com:587', true],
    ['smtps://mail.example.com', true],
  ].map(([mailRelay, requireTls]): [Partial<RelaySettings>, object] => [
    { mailRelay: String(mailRelay), smtpDomain: 'Example.org' },
    { mailRelay: { url: mailRelay, from: 'smsrelay@example.org', requireTls } },
  ]),
  [{ socket: '/run/x.sock', baseUrl: 'http://a' }, { listen: { path: '/run/x.sock' } }],
  [{ lease: 1 }, { lease: 1000 }],
  [{ lease: 86_400 }, { lease: 86_400_000 }],
  [{ retain: '1m' }, { retain: 60_000 }],
  [{ retain: '36h' }, { retain: 129_600_000 }],
  [{ retain: '90d' }, { retain: 7_776_000_000 }],
  [{ retain: '2w' }, { retain: 1_209_600_000 }],
  [{ retain: '36500d' }, { retain: 3_153_600_000_000 }],
  [{ tokenLifetime: 1 }, { tokenLifetime: 1000 }],
  [{ sandbox: true }, { sandbox: true }],
  [{ host: '::' }, { listen: { host: '::' }, webhooks: { loopback: false } }],
  [{ host: '0.0.0.0' }, { webhooks: { loopback: false } }],
  [{ host: '192.168.0.2' }, { webhooks: { loopback: false } }],
  [{ host: 'my-machine' }, { webhooks: { loopback: false } }],
  [{ host: 'localhost' }, { webhooks: { loopback: true } }],
  [{ host: '::1' }, { webhooks: { loopback: true } }],
  [{ host: '127.0.0.9' }, { webhooks: { loopback: true } }],
  [{ trustProxy: true }, { webhooks: { loopback: false } }],
  [{ trustProxy: '10.0.0.0/8' }, { webhooks: { loopback: false } }],
  [{ trustProxy: 'false' }, { webhooks: { loopback: true }, trustProxy: undefined }],
  [{ trustProxy: 0 }, { webhooks: { loopback: true }, trustProxy: undefined }],
  [{ baseUrl: 'https://sms.example.com' }, { webhooks: { loopback: false } }],
  [{ baseUrl: 'http://localhost:8080' }, { webhooks: { loopback: true } }],
  [{ baseUrl: 'http://[::1]:8080' }, { webhooks: { loopback: true } }],
  [{ hookAllow: ['10.0.0.0/8', 'fd00::/8'] }, { webhooks: { allow: ['10.0.0.0/8', 'fd00::/8'] } }],
  [{ maxSubscriptions: 0 }, { webhooks: { maxSubscriptions: 0 } }],
  [{ maxWebhooks: 1 }, { webhooks: { inFlight: 1 } }],
  [{ maxWebhooksPerHost: 1 }, { webhooks: { inFlightPerHost: 1, inFlightPerAccount: 64 } }],
  [{ maxWebhooksPerHost: 99 }, { webhooks: { inFlightPerHost: 99, inFlightPerAccount: 99 } }],
  [{ retainLogs: '1h' }, { retainLogs: { audit: 3_600_000, deliveries: 3_600_000 } }],
  [{ port: undefined, host: undefined }, { listen: { port: 8080, host: '127.0.0.1' } }],
  [{ baseUrl: 'https://sms.example.com' }, { baseUrl: 'https://sms.example.com' }],
  [{ baseUrl: 'https://sms.example.com/' }, { baseUrl: 'https://sms.example.com' }],
  [{ baseUrl: 'HTTP://Example.com:80/sms//' }, { baseUrl: 'http://example.com/sms' }],
])('%j becomes %j', (settings, expected) => {
  expect(parseRelayConfig({ dataDir: '/data', ...settings })).toMatchObject(expected)
})

test.each<[Partial<RelaySettings>, string]>([
  [{ dataDir: '' }, 'data directory'],
  [{ host: '' }, 'host'],
  [{ port: -1 }, 'port'],
  [{ port: 65_536 }, 'port'],
  [{ port: 80.5 }, 'port'],
  [{ port: Number.NaN }, 'port'],
  [{ socket: '/run/x.sock' }, 'socket /run/x.sock'],
  [{ socket: '', baseUrl: 'http://a' }, 'socket'],
  [{ lease: 0 }, 'lease'],
  [{ keywords: 'stop=' }, 'keyword ""'],
  [{ keywords: 'start=...' }, 'keyword "..."'],
  [{ keywords: `stop=${'x'.repeat(101)}` }, 'keyword'],
  [{ keywords: 'stop=YES!' }, 'keyword "yes"'],
  [{ keywords: 'help=Stopp' }, 'keyword "stopp"'],
  [{ lease: 86_401 }, 'lease'],
  [{ lease: Number.POSITIVE_INFINITY }, 'lease'],
  [{ maxSubscriptions: -1 }, 'subscriptions'],
  [{ maxWebhooks: 0 }, 'webhooks'],
  [{ maxWebhooksPerHost: 0.5 }, 'max-webhooks-per-host'],
  [{ hookAllow: [''] }, 'range'],
  [{ hookAllow: ['10.0.0.0'] }, 'range 10.0.0.0'],
  [{ hookAllow: ['10.0.0.0/8', '10.0.0.1/8'] }, 'range 10.0.0.1/8'],
  [{ hookAllow: ['private'] }, 'range private'],
  [{ retain: '' }, 'retention'],
  [{ retain: '90' }, 'retention'],
  [{ retain: '0d' }, 'retention'],
  [{ retain: '-1d' }, 'retention'],
  [{ retain: '1.5d' }, 'retention'],
  [{ retain: '90 d' }, 'retention'],
  [{ retain: '90D' }, 'retention'],
  [{ retain: '3M' }, 'retention'],
  [{ retain: '90d ' }, 'retention'],
  [{ retain: '30s' }, 'retention'],
  [{ retain: 'd' }, 'retention'],
  [{ retain: '36501d' }, 'retention'],
  [{ retain: '999999999h' }, 'retention'],
  [{ tokenLifetime: 0 }, 'token lifetime'],
  [{ tokenLifetime: 31_536_001 }, 'token lifetime'],
  [{ baseUrl: '' }, 'base URL'],
  [{ baseUrl: 'sms.example.com' }, 'base URL'],
  [{ baseUrl: 'ftp://sms.example.com' }, 'base URL'],
  [{ baseUrl: 'https://sms.example.com/?a=1' }, 'base URL'],
  [{ baseUrl: 'https://sms.example.com/#a' }, 'base URL'],
  [{ baseUrl: 'https://me@sms.example.com' }, 'base URL'],
  [{ baseUrl: 'https://:pass@sms.example.com' }, 'base URL'],
  [{ baseUrl: 'https://sms.example.com//sms' }, 'path of the base URL'],
  [{ baseUrl: 'https://sms.example.com/sms;x=1' }, 'path of the base URL'],
  [{ trustProxy: 11 }, 'trusted proxies "11"'],
  [{ trustProxy: -1 }, 'trusted proxies "-1"'],
  [{ trustProxy: '10.0.0.0/33' }, 'trusted proxies'],
  [{ trustProxy: '10.0.0.0/8,,' }, 'trusted proxies'],
  [{ trustProxy: 'proxy.example.com' }, 'trusted proxies'],
  ...['mail.example.com', 'http://h', 'smtp:', 'smtp://'].map(
    (mailRelay): [Partial<RelaySettings>, string] => [
      { mailRelay },
      'The mail relay must be an address of an SMTP server.',
    ],
  ),
  ...['ann', 'ann@', 'Ann <ann@example.com>', 'a@b\r\nBcc: c@d'].map(
    (mailFrom): [Partial<RelaySettings>, string] => [{ mailFrom }, 'sender of alerts'],
  ),
  [{ limits: { headTimeout: 0 } }, 'headTimeout'],
  [{ limits: { bodyTimeout: 1.5 } }, 'bodyTimeout'],
])('%j is a usage error that names the %s', (settings, name) => {
  let error: unknown
  try {
    parseRelayConfig({ dataDir: '/data', ...settings })
  } catch (thrown) {
    error = thrown
  }
  expect(isRelayError(error, 'usage') && error.message).toContain(name)
})
