import { mapAccountLimits } from '../../../../src/domain/account-limits.js'
import { start } from '../rig.js'
import type { Line } from './transfer-rig.js'

const later = start + 3_600_000
const account = 'ada'
const number = '+12025550143'

const secondFactor = {
  totp: { secret: 'gezdgnbvgy3tqojq', lastStep: 56_666_666, createdAt: start },
  passkeys: [
    {
      ...{ id: 'passkey-1', publicKey: 'pQECAyYg', counter: 7, transports: ['internal', 'hybrid'] },
      ...{ name: 'Laptop', host: 'relay.example.com', createdAt: start, usedAt: later },
    },
  ],
  recoveryCodes: ['hash-of-code-1', 'hash-of-code-2'],
}

const previousSecrets = [{ secret: 'whsec_b2xk', until: later }]

const retry = { attempts: 2, firstAt: start, retryAt: later, before: 1, hold: true }

const created = {
  ...{ id: 'full-message', account, destination: '(202) 555-0143', number, text: 'Grüße\n👍' },
  ...{ source: 'website', status: 'N', createdAt: start, sendAt: later, statusAt: start },
  failures: 0,
}

const message = {
  ...created,
  ...{ status: 'D', statusAt: later, failures: 3 },
  ...{ retryAt: later, lease: { holder: 'h1', until: later, claim: 4 } },
  ...{ lastHolder: 'h0', parts: 2, error: 'no signal', reportKey: 'r1', before: 'E' },
  ...{ confirmsOptOut: true, flash: true, phone: 'attic', delivery: `dp ${later}` },
  attempts: `${start} f attic\tno signal\t1500\n${later} u attic\t\t2500`,
  ...{ leases: `${start} 40 attic\n2500`, leasedAt: start },
}

/** One record of each kind with every field that its kind can have. */
export const fullRecords: readonly Line[] = [
  {
    kind: 'account',
    key: account,
    record: {
      ...{ id: account, email: 'Ada@example.com', passwordHash: 'scrypt$ada', secondFactor },
      ...{ secretKey: 'sk_ada', appKey: 'ak_ada', apiKeyHash: 'hash-of-ada', country: 'DE' },
      ...{ mode: 'at-most-once', timeZone: 'Europe/Berlin', helpText: 'Call us', stopText: 'Bye' },
      ...{ fewerParts: true, receivedMail: 'ada@example.com', receivedMailed: 'full-received' },
      ...{ alerts: 'alerts@example.com', hookSecret: 'whsec_bmV3' },
      ...{ formerHookSecrets: previousSecrets, createdAt: start, ownerSince: start },
      limits: mapAccountLimits(name => name.length),
    },
  },
  {
    kind: 'token',
    key: 'full-token',
    record: {
      ...{ id: 'full-token', account, kind: 'login', expiresAt: later, claims: 9 },
      person: 'full-person',
      login: { device: 'Firefox on Linux', address: '192.0.2.1', at: start, isSession: true },
    },
  },
  {
    kind: 'person',
    key: 'full-person',
    record: {
      ...{ id: 'full-person', account, email: 'Eve@example.com', passwordHash: 'scrypt$eve' },
      ...{ secondFactor, role: 'sender', createdAt: start, lastSignInAt: later },
    },
  },
  {
    kind: 'invitation',
    key: 'full-invitation',
    record: {
      ...{ id: 'full-invitation', account, email: 'fay@example.com', role: 'reader' },
      ...{ by: 'ada@example.com', createdAt: start, expiresAt: later },
    },
  },
  { kind: 'message', key: message.id, record: message },
  {
    kind: 'subscription',
    key: 'full-subscription',
    record: {
      ...{ id: 'full-subscription', account, event: 'message.create', method: 'PUT', post: true },
      ...{ url: 'https://example.com/hook', triggered: 3, createdAt: start, cursor: 1 },
      ...{ trying: { seq: 2, ...retry }, ahead: [{ seq: 3, ...retry }, { seq: 4 }], window: 8 },
      ...{ schedule: [1, 5, 30], replays: 2, unreported: true, hookSecret: 'whsec_b3du' },
      ...{ formerHookSecrets: previousSecrets, onExhausted: 'skip' },
      listener: { name: 'laptop', seenAt: later },
      headers: { Authorization: 'Bearer 1' },
      paused: { at: later, reason: 'gone' },
    },
  },
  {
    kind: 'capability',
    key: 'full-url',
    record: {
      ...{ id: 'full-url', account, hash: 'hash-of-url', createdAt: start, name: 'Entrance' },
      ...{ destinations: [number], template: 'Ring at {door}', rate: { uses: 2, per: 'h' } },
      ...{ expiresAt: later, confirm: true, length: 70 },
      uses: { count: 2, lastAt: later, recent: [[later, 2]], requests: [[later, 'request-1']] },
    },
  },
  ...['alias', 'hash'].map(way => ({
    kind: 'mailbox',
    key: `full-${way}`,
    record: {
      ...{ id: `full-${way}`, account, name: 'Alerts', destinations: [number] },
      ...{ senders: ['@example.com'], subject: 'first', hourly: 10, length: 160 },
      ...{
        createdAt: start,
        ...(way === 'alias' ? { alias: 'alerts' } : { hash: 'h', hint: 'x' }),
      },
    },
  })),
  {
    kind: 'phone',
    key: 'full-phone',
    record: {
      ...{ id: 'full-phone', account, name: 'attic', driver: 'modem', firstNextAt: start },
      ...{ lastNextAt: later, lastSeenAt: later, quietUntil: later, lastSuccessAt: later },
      ...{ lastFailureAt: later, holder: 'h1', activity: '5666666 a120 -3 q60' },
      network: { at: later, signal: '80 %', operator: 'Example', rate: '6/min' },
    },
  },
  {
    kind: 'group',
    key: 'full-group',
    record: { id: 'full-group', account, name: 'Team', createdAt: start },
  },
  {
    kind: 'template',
    key: 'full-template',
    record: { id: 'full-template', account, name: 'Hello', text: 'Hi {name}', createdAt: start },
  },
  {
    kind: 'contact',
    key: `${account} ${number}`,
    record: {
      ...{ account, number, name: 'Zoë', fields: { city: 'Köln' }, groups: ['full-group'] },
      createdAt: start,
    },
  },
  {
    kind: 'received',
    key: 'full-received',
    record: {
      ...{ id: 'full-received', account, from: 'Bank', number, text: 'STOP', receivedAt: start },
      ...{ createdAt: later, phone: 'attic', to: '+12025550100', driver: 'modem', word: 'stop' },
      ...{ line: 'work', kind: 'mms', subject: 'Hello', size: 1000 },
      ...{ media: ['https://example.com/picture.jpg'] },
      ...{ once: { key: 'once-1', digest: 'digest-1' }, event: 5, reply: 'full-message' },
    },
  },
  {
    kind: 'tally',
    key: `${account} 1888888`,
    record: {
      ...{ id: `${account} 1888888`, account, quarter: 1_888_888, created: 9, sent: 8 },
      ...{ failed: 1, blocked: 2, pending: 3, delivered: 4, undelivered: 5, expired: 6 },
    },
  },
  {
    kind: 'block',
    key: `${account} ${number}`,
    record: { scope: account, number, at: start, reason: 'import', by: 'ada', note: 'asked' },
  },
  {
    kind: 'once',
    key: `${account} order-1`,
    record: { digest: 'digest-2', until: later, message: created },
  },
  ...[2, 3, 4].map(seq => ({
    kind: 'event',
    key: String(seq),
    record: { seq, account, event: 'message.create', message: message.id, at: start },
  })),
  {
    kind: 'event',
    key: '5',
    record: { seq: 5, account, event: 'message.received', message: 'full-received', at: later },
  },
  {
    kind: 'audit',
    key: 'full-audit',
    record: {
      ...{ id: 'full-audit', account, at: start, action: 'contact.import' },
      actor: { kind: 'person', id: 'full-person', name: 'Eve@example.com' },
      target: { kind: 'group', id: 'full-group', name: 'Team' },
      ...{ detail: '2 contacts', refused: true, address: '192.0.2.1', device: 'Firefox on Linux' },
      request: 'request-2',
    },
  },
  { kind: 'meta', key: 'events', record: { seq: 5 } },
  { kind: 'meta', key: `${account} message.create`, record: { seq: 1 } },
]
