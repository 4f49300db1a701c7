interface Senders {
  /** Addresses and `@domain`s in lower case; empty: everyone. */
  readonly senders: readonly string[]
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

export function isAllowedSender({ senders }: Senders, address: string): boolean {
  if (isOpenToAll({ senders })) return true
  const sender = address.toLowerCase()
  const domain = sender.slice(sender.lastIndexOf('@'))
  return sender.includes('@') && (senders.includes(sender) || senders.includes(domain))
}

export function isOpenToAll({ senders }: Senders): boolean {
  return senders.length === 0 || senders.includes('*')
}

export function parseLocalPart(local: string): { name: string; number?: string }[] {
  const whole = { name: local.toLowerCase() }
  const dot = local.lastIndexOf('.')
  if (dot === -1) return [whole]
  return [whole, { name: local.slice(dot + 1).toLowerCase(), number: local.slice(0, dot) }]
}
