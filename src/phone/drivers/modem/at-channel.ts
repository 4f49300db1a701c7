import { errorText } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import { AtError, type AtFault } from './at-error.js'
import type { SerialLine } from './serial-line.js'

export interface AtCommand {
  /** AT command without the carriage return. */
  readonly command: string
  /** Text sent after the modem's prompt, without the Ctrl-Z. */
  readonly text?: string
  /** Milliseconds until the modem's final answer. @default 5000 */
  readonly timeout?: number
  /** Whether the AT channel stays open after a timeout. @default false */
  readonly keepOpen?: boolean
}

/** An unsolicited line of a modem, and the PDU that follows some of them. */
export interface Unsolicited {
  readonly line: string
  readonly pdu?: string
}

export interface AtListener {
  readonly onUnsolicited: (unsolicited: Unsolicited) => void
  readonly onClosed: (reason: string) => void
}

interface PendingCommand {
  readonly command: AtCommand
  readonly lines: string[]
  readonly cancelTimer: () => void
  isTextSent: boolean
  readonly resolve: (lines: string[]) => void
  readonly reject: (error: AtError) => void
}

/** A piece of a modem's output; `prompt` is `> ` (3GPP TS 27.005 section 3.5.1). */
type AtPiece = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'prompt' }

const ctrlZ = '\u001a'
const escapeKey = '\u001b'
const defaultTimeout = 5000
/**
 * Characters of a line from the modem; limits the output of a broken line that sends no line end.
 */
const maxLineLength = 4096
const finalResults = [
  /^(OK|ERROR|NO CARRIER|NO DIALTONE|NO ANSWER|BUSY|COMMAND NOT SUPPORT)$/,
  /^\+CM[ES] ERROR: ?.*$/,
]
const unsolicitedNames = [
  /^(\+CMTI|\+CDSI|\+CLIP|\+CRING|\+CIEV|\+CPIN|\+CTZV|\+QIND|RING|\^\w+|\*\w+)(:|$)/,
  /^\+C(|G|E|5G)REG(:|$)/,
  /^(SMS READY|SMS DONE|CALL READY|RDY|SYSSTART|NORMAL POWER DOWN)$/i,
]
const ussdLine = /^\+CUSD: ?\d/
/** A modem that says this has lost its settings. */
const restartLine = /^(RDY|\^?SYSSTART)$/
/** A line of the modem after which a PDU follows. */
const pduHeading = /^(\+CMT|\+CDS)(:|$)/

/** Sends AT commands to a modem, one at a time (ITU-T V.250, 3GPP TS 27.007). */
export class AtChannel {
  /** Resolves to the reason when the serial line to the modem is closed. */
  readonly ended: Promise<string>
  readonly #line: SerialLine
  readonly #listener: AtListener
  readonly #clock: Clock
  readonly #queue = new PromiseQueue()
  #resolveEnded: (reason: string) => void = () => {}
  #rest = ''
  #pending: PendingCommand | undefined
  #heading: string | undefined
  /** The beginning of a USSD reply, whose text may have several lines. */
  #ussd: string | undefined
  #closed: string | undefined
  #released: Promise<void> = Promise.resolve()

  constructor(line: SerialLine, listener: AtListener, clock: Clock) {
    this.#line = line
    this.#clock = clock
    const { stream } = line
    this.#listener = listener
    this.ended = new Promise(resolve => {
      this.#resolveEnded = resolve
    })
    stream.setEncoding('latin1')
    stream.on('data', (text: string) => this.#read(text))
    stream.on('error', error => this.close(getReason(error)))
    stream.on('close', () => this.close('hung up'))
  }

  /** Resolves when a closed serial line can be opened again. */
  get released(): Promise<void> {
    return this.#released
  }

  /** Sends an AT command after the earlier ones; returns the lines before OK. Throws `AtError`. */
  async run(command: AtCommand): Promise<string[]> {
    return await this.#queue.run(() => this.#start(command))
  }

  close(reason = 'closed'): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    this.#fail({ by: 'line', reason })
    this.#released = this.#line.close()
    this.#listener.onClosed(reason)
    this.#resolveEnded(reason)
  }

  #start(command: AtCommand): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(new AtError({ by: 'line', reason: this.#closed }))
        return
      }
      const { timeout = defaultTimeout } = command
      const cancelTimer = this.#clock.after(timeout, () => this.#handleTimeout(command))
      this.#pending = { command, lines: [], cancelTimer, isTextSent: false, resolve, reject }
      this.#line.stream.write(`${command.command}\r`)
    })
  }

  #handleTimeout(command: AtCommand): void {
    // The modem may read anything that follows as part of the text, so the line is closed.
    if (command.text !== undefined) this.#line.stream.write(escapeKey)
    this.#fail({ by: 'silence' })
    if (command.keepOpen !== true) this.close('the modem did not answer')
  }

  #read(text: string): void {
    for (const piece of this.#split(text)) this.#handlePiece(piece)
  }

  /** Splits the modem's output into lines and prompts (ITU-T V.250 section 5.7). */
  #split(text: string): AtPiece[] {
    const lines = (this.#rest + text).split(/[\r\n]+/)
    this.#rest = (lines.pop() ?? '').slice(-maxLineLength)
    const pieces = lines.flatMap(toPieces)
    if (/^\s*>\s?$/.test(this.#rest)) {
      this.#rest = ''
      pieces.push({ kind: 'prompt' })
    }
    return pieces
  }

  #handlePiece(piece: AtPiece): void {
    if (piece.kind === 'prompt') this.#sendText()
    else if (this.#ussd !== undefined || ussdLine.test(piece.text)) this.#readUssd(piece.text)
    else if (this.#heading !== undefined) {
      const line = this.#heading
      this.#heading = undefined
      this.#listener.onUnsolicited({ line, pdu: piece.text })
    } else if (restartLine.test(piece.text)) this.close('the modem restarted')
    else if (this.#isAnswerTo(piece.text)) this.#answer(piece.text)
    else if (pduHeading.test(piece.text)) this.#heading = piece.text
    else if (unsolicitedNames.some(pattern => pattern.test(piece.text))) {
      this.#listener.onUnsolicited({ line: piece.text })
    } else this.#answer(piece.text)
  }

  #readUssd(text: string): void {
    const line = this.#ussd === undefined ? text : `${this.#ussd}\n${text}`
    const isComplete = /^[^"]*(".*"(, ?\d+)?)?$/s.test(line) || line.length > maxLineLength
    this.#ussd = isComplete ? undefined : line
    if (isComplete) this.#listener.onUnsolicited({ line })
  }

  /** A modem's line with the name of the AT command in progress is not unsolicited. */
  #isAnswerTo(line: string): boolean {
    const [name = ''] = line.split(':', 1)
    return this.#pending?.command.command.toUpperCase().startsWith(`AT${name}`) ?? false
  }

  #sendText(): void {
    const pending = this.#pending
    if (pending?.command.text === undefined || pending.isTextSent) return
    pending.isTextSent = true
    this.#line.stream.write(pending.command.text + ctrlZ)
  }

  #answer(line: string): void {
    const pending = this.#pending
    if (pending === undefined || isEcho(line, pending.command)) return
    if (!finalResults.some(pattern => pattern.test(line))) pending.lines.push(line)
    else if (line === 'OK') this.#takePending()?.resolve(pending.lines)
    else this.#fail(parseFault(line))
  }

  #fail(fault: AtFault): void {
    const pending = this.#takePending()
    pending?.reject(new AtError(fault, pending.isTextSent))
  }

  #takePending(): PendingCommand | undefined {
    const pending = this.#pending
    this.#pending = undefined
    pending?.cancelTimer()
    return pending
  }
}

/** Runs an AT command; undefined if the modem rejects it. Throws if it does not answer. */
export async function tryCommand(
  channel: AtChannel,
  command: AtCommand,
): Promise<string[] | undefined> {
  try {
    return await channel.run(command)
  } catch (error) {
    const isLost =
      !(error instanceof AtError) || error.fault.by === 'silence' || error.fault.by === 'line'
    if (isLost) throw error
    return undefined
  }
}

function toPieces(line: string): AtPiece[] {
  const text = line.trim()
  if (text === '') return []
  return text === '>' ? [{ kind: 'prompt' }] : [{ kind: 'line', text }]
}

function isEcho(line: string, { command, text }: AtCommand): boolean {
  return line === command || (text !== undefined && line.replace(ctrlZ, '') === text)
}

function parseFault(line: string): AtFault {
  const [, kind, code] = /^\+CM([ES]) ERROR: ?(\d+)$/.exec(line) ?? []
  if (code === undefined) return { by: 'words', words: line }
  return { by: kind === 'S' ? 'sms' : 'equipment', code: Number(code) }
}

function getReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? errorText(error)
}
