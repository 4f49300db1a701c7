/** The limits of the interface (SPEC.md section 8) and of this service where the interface is silent. */
export const limits = {
  /** Characters (code points) of a message's text. */
  text: 1600,
  /** Characters of a destination as given. */
  destination: 64,
  /** Characters of a subscription's URL. */
  url: 1024,
  /** Characters of a subscription's method. */
  method: 16,
  listDefault: 50,
  listMost: 100,
  /** Events that can be asked for by how many they are from the end. */
  latestEvents: 1000,
  /** Characters of an error message that are kept. */
  errorMessage: 1000,
  /** Characters of an idempotency key. */
  idempotencyKey: 255,
  /** Recipients of a secret URL. */
  urlDestinations: 20,
  /** Characters of the name of a secret URL. */
  urlName: 100,
  /** Characters of a note on an entry of the Do Not Text list. */
  note: 200,
  /** Entries of the Do Not Text list in one request. */
  blockBatch: 500,
  /** Characters of the sender of a received text: a number, a name or an e-mail address. */
  sender: 255,
  /** Characters of a received text: 255 parts (3GPP TS 23.040 section 9.2.3.24.1). */
  receivedText: 40_000,
  /** Characters of the name of a phone. */
  phoneName: 64,
  /** Destinations, and senders, of an e-mail address of the service. */
  mailboxList: 20,
  /** Characters of the name of such an address. */
  mailboxName: 100,
  /** Most that an address may be limited to, in texts an hour. */
  mailboxHourly: 10_000,
  /** Bytes of a request body. */
  body: 256 * 1024,
  /** Bytes of a request body that comes without a token. */
  openBody: 8 * 1024,
} as const

/** What mail may take of the service. Times in milliseconds. */
export interface MailLimits {
  /** Bytes of a mail. */
  readonly size: number
  /** Recipients of a mail. */
  readonly recipients: number
  /** Connections at once. */
  readonly connections: number
  /** Connections at once from one address (an IPv6 address with its /64). */
  readonly connectionsEach: number
  /** Longest silence of a client. */
  readonly idleTimeout: number
  /** Longest that a connection lasts. */
  readonly lifetime: number
  /** Unknown recipients that an address may name in an hour before each further one costs it its connection. */
  readonly unknown: number
  /** Longest that the answer to such a one is held back. */
  readonly holdUnknown: number
}

/** The limits of mail unless told. */
export const mailLimits: MailLimits = {
  size: 1024 * 1024,
  recipients: 20,
  connections: 100,
  connectionsEach: 50,
  idleTimeout: 60_000,
  lifetime: 10 * 60_000,
  unknown: 10,
  holdUnknown: 5000,
}
