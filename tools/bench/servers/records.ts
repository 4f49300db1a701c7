import type { Account } from '../../../src/domain/account/account.js'
import { type Message, maxAttempts } from '../../../src/domain/message/message.js'
import {
  type Collections,
  createCollections,
} from '../../../src/server/store/lowdb/records/collections.js'
import { hashText } from '../../../src/util/crypto/secrets.js'
import { destinations } from '../load/requests.js'
import {
  accountId,
  apiToken,
  getNeighborId,
  getNeighborToken,
  getPhoneToken,
  keys,
  person,
  phoneCount,
} from './accounts.js'

/** Numbers of messages of each kind in a data directory. */
export interface Amounts {
  readonly sent?: number
  /** Messages that failed for good. */
  readonly failed?: number
  /** Due messages. */
  readonly due?: number
  /** Scheduled messages. */
  readonly scheduled?: number
  /** Bytes of a journal that repeats records of the snapshot. @default no journal */
  readonly journal?: number
  /**
   * Whether identifiers have the times of their messages, as in a relay; otherwise their number
   * alone tells them.
   */
  readonly hasTimedIds?: boolean
  /** Other accounts, without messages. */
  readonly neighbors?: number
}

const day = 24 * 60 * 60 * 1000
const formatHex = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0')

/** The identifier of the n-th message, a UUIDv7. */
export function getMessageId(n: number, at = 1_700_000_000_000 + n * 40): string {
  const time = formatHex(at, 12)
  const groups = [`7${formatHex(n % 4096, 3)}`, `8${formatHex((n * 7) % 4096, 3)}`]
  const random = [...groups, formatHex(n * 2_654_435, 12)].join('-')
  return `${time.slice(0, 8)}-${time.slice(8)}-${random}`
}

/** The records of a relay: sent messages first, then failed, due and scheduled ones. */
export function createRecords(
  { sent = 0, failed = 0, due = 0, scheduled = 0, neighbors = 0, hasTimedIds = false }: Amounts,
  now: number,
): Collections {
  const data = createCollections()
  addAccount(data, now)
  for (let number = 0; number < neighbors; number += 1) addNeighbor(data, number, now)
  const age = 30 * day
  const ended = sent + failed
  const all = ended + due + scheduled
  for (let n = 0; n < all; n += 1) {
    const createdAt = Math.floor(now - age + (age * n) / all)
    const id = hasTimedIds ? getMessageId(n, createdAt) : getMessageId(n)
    const message = createMessage(id, n, createdAt)
    if (n < sent) data.message.set(message.id, createSentMessage(message, createdAt))
    else if (n < ended) data.message.set(message.id, createFailedMessage(message, createdAt))
    else if (n < ended + due) data.message.set(message.id, message)
    else data.message.set(message.id, { ...message, sendAt: now + day + n })
  }
  return data
}

function createMessage(id: string, n: number, createdAt: number): Message {
  const number = destinations[n % destinations.length] ?? ''
  return {
    id,
    account: accountId,
    destination: number,
    number,
    text:
      `Your parcel ${n} arrives today between 14:00 and 16:00. ` +
      `Track it at https://example.com/t/${n}. Reply STOP to end.`,
    source: 'api',
    status: 'N',
    createdAt,
    sendAt: createdAt,
    statusAt: createdAt,
    failures: 0,
  }
}

function createSentMessage(message: Message, createdAt: number): Message {
  const lastHolder = hashText(getPhoneToken(createdAt % phoneCount))
  return { ...message, status: 'S', statusAt: createdAt + 4000, lastHolder, parts: 1 }
}

function createFailedMessage(message: Message, createdAt: number): Message {
  const error = 'The number is not in service'
  return { ...message, status: 'F', statusAt: createdAt + 4000, failures: maxAttempts, error }
}

function addAccount(data: Collections, now: number): void {
  data.account.set(accountId, {
    id: accountId,
    email: person.email,
    passwordHash: person.passwordHash,
    secretKey: keys.secretKey,
    appKey: keys.appKey,
    apiKeyHash: hashText(keys.apiKey),
    country: 'US',
    mode: 'at-least-once',
    hookSecret: 'whsec_YmVuY2g=',
    createdAt: now - 365 * day,
    ownerSince: now - 365 * day,
  })
  const tokens = Array.from({ length: phoneCount }, (_, number) => getPhoneToken(number))
  for (const token of [apiToken, ...tokens]) {
    const id = hashText(token)
    const kind = token === apiToken ? 'api' : 'app'
    data.token.set(id, { id, account: accountId, kind, expiresAt: now + 28_800_000 })
  }
}

function addNeighbor(data: Collections, number: number, now: number): void {
  const account = getNeighborId(number)
  data.account.set(account, {
    ...(data.account.get(accountId) as Account),
    id: account,
    email: `neighbor${number}@example.com`,
    secretKey: `srs_${String(number).padStart(43, 'n')}`,
    appKey: `srp_${String(number).padStart(43, 'n')}`,
    apiKeyHash: hashText(`sra_${String(number).padStart(43, 'n')}`),
  })
  const id = hashText(getNeighborToken(number))
  data.token.set(id, { id, account, kind: 'api', expiresAt: now + 28_800_000 })
}
