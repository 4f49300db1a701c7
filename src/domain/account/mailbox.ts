import type { AccountRecord } from './account-record.js'

/** Whether the subject of a mail is part of the text. */
export const subjectChoices = ['never', 'first'] as const

/** One of {@link subjectChoices}. */
export type SubjectChoice = (typeof subjectChoices)[number]

/**
 * An e-mail address of the service that turns mail into messages, as kept (SPEC.md section 1): known by its key, or by
 * an alias with pinned destinations.
 */
export interface Mailbox extends AccountRecord {
  /** Its owner's word for it; may be empty. */
  readonly name: string
  /** SHA-256 of the key, base64url; absent where there is an alias. */
  readonly hash?: string
  /** The first characters of the key, to tell addresses apart. */
  readonly hint?: string
  /** The local part that anyone may know, in lower case; unique in the service. */
  readonly alias?: string
  /** Where its texts go, as given; none: the local part begins with the number. */
  readonly destinations: readonly string[]
  /** Addresses and `@domain`s in lower case that may send to it; none: whoever knows the address. */
  readonly senders: readonly string[]
  readonly subject: SubjectChoice
  /** Most texts in an hour; absent: any number. */
  readonly hourly?: number
  /** Most characters of a text; the rest is cut. */
  readonly length: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Local parts that stay the service's own: RFC 2142, and those that authorities prove domains with. */
const reserved = new Set([
  ...['abuse', 'admin', 'administrator', 'hostmaster', 'mailer-daemon', 'noc', 'no-reply'],
  ...['noreply', 'postmaster', 'root', 'security', 'ssladmin', 'sysadmin', 'webmaster'],
])

/** Whether a name, in lower case, may be an alias: 1 to 24 letters, digits, `-` and `_`, a letter first. */
export function isAlias(name: string): boolean {
  return /^[a-z][a-z0-9_-]{0,23}$/.test(name) && !reserved.has(name)
}

/** Whether a text, in lower case, names senders: `*`, an address, or `@` and a domain. */
export function isSender(text: string): boolean {
  return text === '*' || (text.length <= 254 && /^[^\s@<>,"]*@[a-z0-9\u0080-\uffff.-]+$/.test(text))
}

/** Whether an address may send to a mailbox; a domain does not stand for those below it. */
export function isAllowedSender({ senders }: Pick<Mailbox, 'senders'>, address: string): boolean {
  if (isOpenToAll({ senders })) return true
  const sender = address.toLowerCase()
  const domain = sender.slice(sender.lastIndexOf('@'))
  return sender.includes('@') && (senders.includes(sender) || senders.includes(domain))
}

/** Whether anyone may send to a mailbox who knows its address. */
export function isOpenToAll({ senders }: Pick<Mailbox, 'senders'>): boolean {
  return senders.length === 0 || senders.includes('*')
}

/** The two readings of a local part: all of it is a name, or a number comes first, then a dot. */
export function parseLocalPart(local: string): { name: string; number?: string }[] {
  const whole = { name: local.toLowerCase() }
  const dot = local.lastIndexOf('.')
  if (dot === -1) return [whole]
  return [whole, { name: local.slice(dot + 1).toLowerCase(), number: local.slice(0, dot) }]
}
