// The port between a phone and its drivers. A driver sends texts through a network and may receive
// texts and delivery receipts.
//
// 1. `listen` sets the listener, before the first text is sent.
// 2. `watches` run for the life of the phone, such as a connection that stays open.
// 3. `send` sends one text. It fails with a DriverError, whose kind says what is known: `retry`,
//    `fail`, `trouble` or `unknown`.
// 4. `health` says whether the driver could send now, `readNetwork` what it knows of its network.
//
// driver-options.ts parses the options of drivers; the dispatcher turns the result of `send` into
// an outcome (attempt-outcome.ts).

import type { PhoneNetwork } from '../../domain/phone/phone-network.js'
import type { PartPosition } from '../../domain/sms/part-header.js'
import type { DriverWebhook } from './webhook.js'

export interface DriverMessage {
  readonly id: string
  /** The number that the driver dials: digits, with `+` in front if it is international. */
  readonly destination: string
  /** The number as it was typed, without punctuation: national, if it was. */
  readonly typed?: string
  readonly text: string
  /** Whether it is a flash text (class 0); a driver that cannot send one sends a usual text. */
  readonly flash?: boolean
  /**
   * Rejects with {@link MessageChanged} if the driver must not send the text any more. A driver in
   * which texts wait for each other calls it just before it sends.
   */
  readonly assertCurrent?: () => Promise<void>
}

export interface DriverReceipt {
  /** Parts of the sent text, 1 to 255. @default the number by 3GPP TS 23.038 */
  readonly parts?: number
  /** The network's ids of the parts, in order, if it reports their delivery later. */
  readonly networkIds?: readonly string[]
  /** The name of the driver that sent the text, if the phone has several. */
  readonly line?: string
}

export interface DriverHealth {
  readonly ok: boolean
  /** One sentence for people about the driver's result. */
  readonly detail?: string
}

/** What a driver knows of its network; without what it does not know. */
export type DriverNetwork = Pick<PhoneNetwork, 'signal' | 'operator'>

/** A text that the driver received, or a part of one. */
export interface IncomingText {
  /** Sender of the received text: a number, or a name. */
  readonly from: string
  /** The number that the text was sent to; absent if the driver does not know it. */
  readonly to?: string
  readonly text: string
  /**
   * When the network got the received text, in milliseconds since the epoch; 0 if unknown. With
   * sender, words and part it tells a text that comes again from another one.
   */
  readonly at: number
  /** Position of this part; absent if the received text has one part. */
  readonly part?: PartPosition
  /**
   * Unique among all texts that this driver receives; a text with the same `ref` is the same text.
   * @default `at` and what the text consists of; without `at`, each text is another one
   */
  readonly ref?: string
  /** The SIM that received the text, such as `SIM 1`, if the driver has several. */
  readonly sim?: string
  /** The name of the driver that received the text, if the phone has several. */
  readonly line?: string
  /** Whether `text` has octets without an alphabet, one a character. */
  readonly isData?: boolean
  /** The application port that the text, or part, is for. */
  readonly port?: number
  /** Present if the text is an MMS, or says that one waits at the operator. */
  readonly mms?: Mms
}

export interface Mms {
  readonly subject?: string
  /** Octets. */
  readonly size?: number
  /** Addresses of the pictures; absent if the operator keeps them. */
  readonly media?: readonly string[]
}

/** A received SMS that is no text of a person. */
export interface IgnoredSms {
  readonly from: string
  /** What it is, such as `a silent SMS (type 0)`. */
  readonly content: string
  /** The name of the driver that received the SMS, if the phone has several. */
  readonly line?: string
}

/** What the network reports about the delivery of one part of a sent text. */
export interface DeliveryReceipt {
  /** Number that the text was sent to, as the network writes it. */
  readonly to: string
  readonly state: 'pending' | 'delivered' | 'undelivered' | 'expired'
  /** The network's id of the part ({@link DriverReceipt.networkIds}); absent if it has none. */
  readonly networkId?: string
  /** When the network settled the part, in milliseconds since the epoch; absent if unknown. */
  readonly at?: number
  /** Without `at`: milliseconds from the acceptance of the part until then; absent if unknown. */
  readonly elapsed?: number
  /** The network's reason, such as an error code with its meaning. */
  readonly reason?: string
  /** The name of the driver that got the receipt, if the phone has several. */
  readonly line?: string
}

/** A received text, or a receipt, that the driver cannot decode. */
export interface UndecodableText {
  /** The PDU in hexadecimal, as the modem printed it. */
  readonly hex: string
  readonly error: string
  /** The name of the driver that has the PDU, if the phone has several. */
  readonly line?: string
}

export interface DriverListener {
  /**
   * Stores a received text. Once it resolves, the driver may delete the text at its source or
   * acknowledge it; if it rejects, the driver must not.
   */
  onText(text: IncomingText): Promise<void> | void
  /**
   * Stores a receipt. Once it resolves, the driver may acknowledge the receipt to the network; if
   * it rejects, the driver must not.
   */
  onReceipt(receipt: DeliveryReceipt): Promise<void> | void
  /**
   * Whether the phone sent the text of a receipt; waits for texts to its number that are being
   * sent. `isCertain` if only the id must match, and not the number.
   */
  isOwnReceipt?(receipt: DeliveryReceipt, isCertain: boolean): Promise<boolean>
  /** Reports a received PDU that cannot be decoded; the driver keeps it at its source. */
  onUndecodable?(received: UndecodableText): Promise<void> | void
  /** Reports a received SMS that is for no person; the driver then deletes or acknowledges it. */
  onIgnored?(ignored: IgnoredSms): void
  /** The time of the driver's first call with this name, in milliseconds since the epoch. */
  getFirstRun?(name: string): Promise<number>
}

export interface DriverWatch {
  readonly name: string
  /** Whether the driver cannot send while this watch fails. */
  readonly isRequiredToSend: boolean
  /**
   * Watches a driver's connection until the signal is aborted and calls `onWorking` each time that
   * it works. Rejects with `trouble` if it fails, and is then run again.
   */
  run(onWorking: () => void, signal: AbortSignal): Promise<void>
}

export interface Driver extends AsyncDisposable {
  readonly name: string
  /** Messages that the phone has in flight with the driver by default, 1 to 1,000. @default 1 */
  readonly concurrency?: number
  /** Watches of the driver's connections. @default none */
  readonly watches?: readonly DriverWatch[]
  /**
   * Sends one text with the driver. Throws {@link DriverError}; any other error counts as
   * `unknown`. When the signal is aborted, it ends at once, with the error kind for what is known.
   */
  send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt>
  health?(): Promise<DriverHealth>
  /** Reads signal and operator of the driver's network, as far as it knows them. */
  readNetwork?(): Promise<DriverNetwork>
  /**
   * Sends a USSD code, such as `*100#` for the balance, and returns the network's reply. Throws
   * {@link DriverError}.
   */
  queryUssd?(code: string, signal: AbortSignal): Promise<string>
  listen?(listener: DriverListener): void
  /**
   * The webhooks through which a provider reports receipts and received texts; the phone serves
   * them. Throws `usage` if a secret is missing.
   */
  openWebhooks?(): readonly DriverWebhook[]
}

/**
 * What a driver's failure means for the message: `retry` (not sent, may be tried later), `fail`
 * (not sent, never will be), `trouble` (not sent, not the message's fault: costs no attempt),
 * `unknown` (may have been sent).
 */
export type DriverErrorKind = 'retry' | 'fail' | 'trouble' | 'unknown'

interface DriverErrorOptions extends ErrorOptions {
  /** Milliseconds before the next try after a driver's `trouble`. @default growing pauses */
  readonly wait?: number
}

/** The error of {@link Driver.send}; its message goes into the failure report. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
  readonly kind: DriverErrorKind
  readonly wait: number

  constructor(kind: DriverErrorKind, message: string, options: DriverErrorOptions = {}) {
    super(message, options)
    this.kind = kind
    this.wait = options.wait ?? 0
  }
}

/** The message was edited or withdrawn before it was sent; a driver lets this error pass. */
export class MessageChanged extends Error {
  override readonly name = 'MessageChanged'
}
