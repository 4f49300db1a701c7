// The rules of the relay as pure functions and types. Nothing here reads a clock, a file or a
// socket, so the relay, the phone and the commands share it.
// - message/, webhook/: messages and subscriptions, and how they change
// - account/, phone/: what accounts own, and what is known of phones
// - sms/, time/, bulk/: numbers and parts, times and rates, tables of messages
// - limits: the limits of all of them; account-limits: those that the owner sets for an account
// - list-key: the order of lists

/** The limits of the interface (docs/reference/interface.md 8), and those of the relay. */
export const limits = {
  /** Characters (code points) of a message. */
  text: 1600,
  destination: 64,
  url: 1024,
  method: 16,
  /** Characters of the name of a listener's machine: that of a host name (RFC 1035). */
  listenerName: 255,
  /** Webhooks of a subscription that may be in flight, at most. */
  window: 32,
  /** Own header fields of a subscription, and characters of the name and the value of each. */
  webhookHeaders: 16,
  headerName: 64,
  headerValue: 4096,
  /** Delays of a subscription's own retry schedule, and the longest of them in seconds. */
  retryDelays: 20,
  retryDelay: 24 * 60 * 60,
  /** Seconds from the first webhook of an event to its last retry. */
  retryTime: 72 * 60 * 60,
  listDefault: 50,
  listMax: 100,
  /** Bytes of a page of a list. */
  page: 1024 * 1024,
  /** Events that a request can count from the end. */
  latestEvents: 1000,
  /** Characters of an error message that are stored. */
  errorMessage: 1000,
  /** Characters of the error of each attempt that are stored. */
  attemptError: 200,
  receiptReason: 200,
  idempotencyKey: 255,
  secretUrlDestinations: 20,
  secretUrlName: 100,
  note: 200,
  doNotTextBatch: 500,
  contacts: 100_000,
  contactBatch: 500,
  /** Characters of the name of a contact, a group or a template. */
  contactName: 100,
  contactFields: 20,
  contactFieldName: 40,
  contactField: 200,
  contactGroups: 50,
  /** Characters of a received text's sender: a number, a name or an e-mail address. */
  sender: 255,
  /** Characters of a received text: 255 parts (3GPP TS 23.040, section 9.2.3.24.1). */
  receivedText: 40_000,
  /** Characters of the subject of a received MMS. */
  mmsSubject: 1000,
  /** Addresses of pictures of a received MMS. */
  mmsMedia: 20,
  phoneName: 64,
  mailboxList: 20,
  mailboxName: 100,
  mailboxHourly: 10_000,
  /** Bytes of an HTTP request's body. */
  body: 256 * 1024,
  /** Messages or outcomes in one HTTP request. */
  messageBatch: 1000,
  /**
   * Bytes of an HTTP request's body with a batch: 1,000 texts of 1,600 characters in UTF-8, and
   * keys.
   */
  batchBody: 8 * 1024 * 1024,
  /** Bytes of an HTTP request's body without a token. */
  openBody: 8 * 1024,
} as const
