import { errorText } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import { AtError, type AtFault, parseFault } from './at-error.js'
import { classifyLine } from './at-lines.js'
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
  cancelTimer: () => void
  isTextSent: boolean
  hasOk: boolean
  readonly resolve: (lines: string[]) => void
  readonly reject: (error: AtError) => void
}

/** A piece of a modem's output; `prompt` is `> ` (3GPP TS 27.005 section 3.5.1). */
type AtPiece = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'prompt' }

const unsent = { isTextSent: false, hasOk: false }
const ctrlZ = '\u001a'
const escapeKey = '\u001b'
/** Milliseconds. */
const defaultTimeout = 5000
/** Milliseconds that the other half of the answer to a text may take: `+CMGS`, and `OK`. */
const halfAnswerTime = 5000
/** Milliseconds without another answer: then the last one is not that of an earlier command. */
const settleTime = 250
/**
 * Characters of a line from the modem; limits the output of a broken line that sends no line end.
 */
const maxLineLength = 4096
const referenceLine = /^\+CMGS\b/
/** Characters that are no part of a line: echoes of Escape and Ctrl-Z, and noise. */
const noise = /[\u0000\u001a\u001b]/g
/** A received text in text mode has a number and a time: the modem has lost PDU mode. */
const textModeHeading = /".*\d\d\/\d\d\/\d\d,/

/** Sends AT commands to a modem, one at a time (ITU-T V.250, 3GPP TS 27.007). */
export class AtChannel {
  /** Resolves to the reason when the serial line to the modem is closed. */
  readonly ended: Promise<string>
  /** Called when the modem says that it has started again. */
  onStale: () => void = () => {}
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
  #isStale = false
  #hasRestarted = false
  /** Whether the answer to an earlier command may still come. */
  #isAnswerDue: boolean

  constructor(line: SerialLine, listener: AtListener, clock: Clock, isAnswerDue = false) {
    this.#line = line
    this.#clock = clock
    this.#isAnswerDue = isAnswerDue
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

  /** Whether the modem may have lost its settings, so that it gets no text until prepared again. */
  get isStale(): boolean {
    return this.#isStale
  }

  /** Whether the modem has lost all its settings, as far as it says so itself. */
  get hasRestarted(): boolean {
    return this.#hasRestarted
  }

  markStale(): void {
    this.#isStale = true
    this.onStale()
  }

  /** Notes that the modem is being prepared; what it says of a start from now on counts again. */
  markPrepared(): void {
    this.#isStale = false
    this.#hasRestarted = false
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
      // A modem in text mode would send a PDU as the words of a text, to its length as the number.
      if (command.text !== undefined && this.#isStale) {
        reject(new AtError({ by: 'restart' }))
        return
      }
      const { timeout = defaultTimeout } = command
      const cancelTimer = this.#clock.after(timeout, () => this.#handleTimeout(command))
      this.#pending = { command, lines: [], cancelTimer, resolve, reject, ...unsent }
      this.#line.stream.write(`${command.command}\r`)
    })
  }

  #handleTimeout(command: AtCommand): void {
    // The modem may read anything that follows as part of the text, so the line is closed.
    if (command.text !== undefined) this.#line.stream.write(escapeKey)
    this.#isAnswerDue = true
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
    const pieces = lines.flatMap(line => this.#toPieces(line))
    if (/^\s*>\s?$/.test(this.#rest) && this.#ussd === undefined) {
      this.#rest = ''
      pieces.push({ kind: 'prompt' })
    }
    return pieces
  }

  #toPieces(line: string): AtPiece[] {
    const text = line.replace(noise, '').trim()
    if (text === '') return []
    // Some modems write the prompt and another line without a line end between them.
    const isPrompt = text.startsWith('>') && this.#ussd === undefined
    if (!isPrompt) return [{ kind: 'line', text }]
    return [{ kind: 'prompt' }, ...this.#toPieces(text.slice(1))]
  }

  #handlePiece(piece: AtPiece): void {
    if (piece.kind === 'prompt') this.#sendText()
    else if (this.#ussd !== undefined) this.#readUssd(piece.text)
    else this.#handleLine(piece.text)
  }

  #handleLine(line: string): void {
    const { command } = this.#pending?.command ?? {}
    const kind = classifyLine(line, command)
    if (kind === 'ussd') this.#readUssd(line)
    else if (kind === 'pdu') this.#readHeading(line)
    else if (kind === 'final') this.#answerFinally(line)
    else if (kind === 'restart' || kind === 'start') this.#handleStart(kind)
    else if (kind === 'unsolicited') this.#listener.onUnsolicited({ line })
    else if (this.#heading !== undefined && !line.startsWith('+')) this.#readPdu(line)
    else this.#addAnswer(line)
  }

  #readHeading(line: string): void {
    this.#heading = line
    if (textModeHeading.test(line)) this.markStale()
  }

  #readPdu(pdu: string): void {
    const line = this.#heading ?? ''
    this.#heading = undefined
    this.#listener.onUnsolicited({ line, pdu })
  }

  #readUssd(text: string): void {
    const line = this.#ussd === undefined ? text : `${this.#ussd}\n${text}`
    const isComplete = /^[^"]*(".*"(, ?\d+)?)?$/s.test(line) || line.length > maxLineLength
    this.#ussd = isComplete ? undefined : line
    if (isComplete) this.#listener.onUnsolicited({ line })
  }

  #handleStart(kind: 'restart' | 'start'): void {
    this.markStale()
    if (kind === 'start') return
    this.#hasRestarted = true
    if (this.#pending?.command.text !== undefined) this.#fail({ by: 'restart' })
  }

  #sendText(): void {
    const pending = this.#pending
    // A modem that waits for a text without a command would read the next command as one.
    if (pending?.command.text === undefined) return void this.#line.stream.write(escapeKey)
    if (pending.isTextSent) return
    pending.isTextSent = true
    // The modem has read this command, so that it has answered the earlier ones.
    this.#isAnswerDue = false
    this.#line.stream.write(pending.command.text + ctrlZ)
  }

  #addAnswer(line: string): void {
    const pending = this.#pending
    if (pending === undefined || isEcho(line, pending.command)) return
    if (pending.command.text === undefined) pending.lines.push(line)
    else if (pending.isTextSent && referenceLine.test(line)) this.#addReference(pending, line)
  }

  /** The network has the text (3GPP TS 27.005 section 3.5.1), whatever becomes of the OK. */
  #addReference(pending: PendingCommand, line: string): void {
    pending.lines.push(line)
    if (pending.hasOk) this.#end('OK')
    else {
      this.#wait(pending, halfAnswerTime, () => {
        this.#end('OK')
        this.#isAnswerDue = true
      })
    }
  }

  #answerFinally(line: string): void {
    const pending = this.#pending
    if (pending === undefined) return
    const isOkToText = pending.command.text !== undefined && line === 'OK'
    // Without a text, OK is no answer to AT+CMGS.
    if (isOkToText && !pending.isTextSent) return
    pending.hasOk = line === 'OK'
    const isHalf = isOkToText && pending.lines.length === 0
    const wait = isHalf ? halfAnswerTime : this.#isAnswerDue ? settleTime : 0
    if (wait === 0) this.#end(line)
    else this.#wait(pending, wait, () => this.#end(line))
  }

  #end(line: string): void {
    this.#isAnswerDue = false
    if (line === 'OK') {
      const pending = this.#takePending()
      pending?.resolve(pending.lines)
    } else this.#fail(parseFault(line))
  }

  #wait(pending: PendingCommand, milliseconds: number, end: () => void): void {
    pending.cancelTimer()
    pending.cancelTimer = this.#clock.after(milliseconds, end)
  }

  #fail(fault: AtFault): void {
    const pending = this.#takePending()
    if (pending === undefined) return
    const { command, isTextSent, lines } = pending
    if (command.text !== undefined && lines.length > 0) pending.resolve(lines)
    else pending.reject(new AtError(fault, isTextSent))
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

/** What follows the name in a modem's answer, without quotes. */
export function findAnswer(lines: readonly string[], name: string): string | undefined {
  const line = lines.find(each => each.startsWith(`${name}:`))
  return line
    ?.slice(name.length + 1)
    .trim()
    .replaceAll('"', '')
}

function isEcho(line: string, { command, text }: AtCommand): boolean {
  return line === command.replace(noise, '') || line === text
}

function getReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? errorText(error)
}
