import type { AccountRecord } from './account-record.js'

export const subjectChoices = ['never', 'first'] as const

export type SubjectChoice = (typeof subjectChoices)[number]

/**
 * Domain type of a mailbox: an e-mail address whose mail becomes messages
 * (docs/reference/interface.md 1). Its address has a secret key, or an alias with fixed recipients.
 */
export interface Mailbox extends AccountRecord {
  readonly name: string
  /** SHA-256 of the mailbox key, base64url; absent with an alias. */
  readonly hash?: string
  /** The first characters of the mailbox key, by which users recognize it. */
  readonly hint?: string
  /**
   * Alias of the account's mailbox: the public local part of its address, in lower case; unique in
   * the relay.
   */
  readonly alias?: string
  /**
   * The recipients of an account's mailbox as given; empty: the local part begins with the
   * recipient's number.
   */
  readonly destinations: readonly string[]
  /** Addresses and `@domain`s that can send to the mailbox, in lower case; empty: everyone. */
  readonly senders: readonly string[]
  readonly subject: SubjectChoice
  /** Messages an hour that a mailbox creates at most; absent: no limit. */
  readonly hourly?: number
  /** Most characters of a message from the mailbox; a longer text is truncated. */
  readonly length: number
  readonly createdAt: number
}

/**
 * Local parts that no mailbox alias can have: RFC 2142, and those with which certificate
 * authorities verify a domain.
 */
const reserved = new Set([
  ...['abuse', 'admin', 'administrator', 'hostmaster', 'mailer-daemon', 'noc', 'no-reply'],
  ...['noreply', 'postmaster', 'root', 'security', 'ssladmin', 'sysadmin', 'webmaster'],
])

/**
 * Whether a lower-case name can be a mailbox alias: 1 to 24 letters, digits, `-` and `_`, beginning
 * with a letter, and not reserved.
 */
export function isAlias(name: string): boolean {
  return /^[a-z][a-z0-9_-]{0,23}$/.test(name) && !reserved.has(name)
}

/** Whether a lower-case text names senders of a mailbox: `*`, an address, or `@` and a domain. */
export function isSender(text: string): boolean {
  return text === '*' || (text.length <= 254 && /^[^\s@<>,"]*@[a-z0-9\u0080-\uffff.-]+$/.test(text))
}

export function isAllowedSender({ senders }: Pick<Mailbox, 'senders'>, address: string): boolean {
  if (isOpenToAll({ senders })) return true
  const sender = address.toLowerCase()
  const domain = sender.slice(sender.lastIndexOf('@'))
  return sender.includes('@') && (senders.includes(sender) || senders.includes(domain))
}

export function isOpenToAll({ senders }: Pick<Mailbox, 'senders'>): boolean {
  return senders.length === 0 || senders.includes('*')
}

export function parseLocalPart(local: string): { name: string; number?: string }[] {
  const whole = { name: local.toLowerCase() }
  const dot = local.lastIndexOf('.')
  if (dot === -1) return [whole]
  return [whole, { name: local.slice(dot + 1).toLowerCase(), number: local.slice(0, dot) }]
}
