import type { PartPosition } from '../../domain/sms/sms-parts.js'

/** What a driver has to send. */
export interface DriverMessage {
  readonly id: string
  /** The number to dial: digits, with `+` in front when it is international. */
  readonly destination: string
  readonly text: string
  /** To be called just before sending by a driver in which texts wait for each other; rejects when it is not to be sent so. */
  readonly assertCurrent?: () => Promise<void>
}

/** What a driver says of a message that was sent. */
export interface DriverReceipt {
  /** Number of parts the text took, 1 to 255. @default what the text needs by 3GPP TS 23.038 */
  readonly parts?: number
}

/** How a driver's telephony is at present. */
export interface DriverHealth {
  readonly ok: boolean
  /** One sentence for people. */
  readonly detail?: string
}

/** A text that came in, or a part of one. */
export interface IncomingText {
  /** Number, or name, of the sender. */
  readonly from: string
  readonly text: string
  /** When the network got it, in milliseconds since the epoch. */
  readonly at: number
  /** Absent when the text has one part (3GPP TS 23.040 section 9.2.3.24.1). */
  readonly part?: PartPosition
  /** Tells it from all others of this driver for ever; what is told with it again is the same text. */
  readonly ref?: string
  /** Which of several drivers it came by. */
  readonly line?: string
}

/** What the network says of a part that was sent before. */
export interface DeliveryReceipt {
  readonly to: string
  readonly state: 'delivered' | 'trying' | 'failed'
}

/** Told of what comes in by itself. */
export interface DriverListener {
  /**
   * Takes a text; once it resolves the text is kept, and may be deleted where it came from, or be acknowledged. Rejects
   * when it cannot be kept: then it must not be.
   */
  onText(text: IncomingText): Promise<void> | void
  onReceipt(report: DeliveryReceipt): void
  /** When this was asked under this name for the first time in the life of the phone, in milliseconds since the epoch. */
  getFirstRun?(name: string): Promise<number>
}

/** Something a driver does beside sending, for as long as the phone runs. */
export interface DriverWatch {
  readonly name: string
  /** Whether nothing can be sent while it does not work. */
  readonly isRequiredToSend: boolean
  /**
   * Works until the signal is aborted, and says each time that it is known to. Rejects with a {@link DriverError} of kind
   * `trouble` when it does not work, and is begun anew.
   */
  run(well: () => void, signal: AbortSignal): Promise<void>
}

/** A way to reach a phone network. */
export interface Driver extends AsyncDisposable {
  readonly name: string
  /** Such as a line that is kept open for what comes in. @default none */
  readonly watches?: readonly DriverWatch[]
  /**
   * Sends one text. Rejects with a {@link DriverError}; any other error is taken as `unknown`. When the signal is
   * aborted it gives up at once and says by the error's kind what is known.
   */
  send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt>
  health?(): Promise<DriverHealth>
  /** Names who is told of incoming texts and delivery reports, before the first text is sent. */
  listen?(listener: DriverListener): void
}

/**
 * What a driver's failure means for the message: `retry` (not sent, may go later), `fail` (not sent, will not go),
 * `trouble` (not sent, and not the message's fault: it costs no attempt), `unknown` (nobody knows whether it was sent).
 */
export type DriverErrorKind = 'retry' | 'fail' | 'trouble' | 'unknown'

/** What may be said of a {@link DriverError} beside its kind. */
export interface DriverErrorOptions extends ErrorOptions {
  /** Milliseconds after which `trouble` is worth another try at the earliest. */
  readonly wait?: number
}

/** A message is not to be sent any more, or not so; a driver lets it pass. */
export class MessageChanged extends Error {
  override readonly name = 'StaleMessage'
}

/** The error a {@link Driver} throws; its message goes into the failure report. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
  readonly kind: DriverErrorKind
  /** Milliseconds. @default 0 */
  readonly wait: number

  constructor(kind: DriverErrorKind, message: string, options: DriverErrorOptions = {}) {
    super(message, options)
    this.kind = kind
    this.wait = options.wait ?? 0
  }
}
