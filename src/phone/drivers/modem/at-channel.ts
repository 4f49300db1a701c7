import type { Duplex } from 'node:stream'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import { AtError, type AtFault } from './at-error.js'
import { AtLineReader, type AtPiece } from './at-lines.js'

/** One command. */
export interface AtCommand {
  /** Without the carriage return. */
  readonly command: string
  /** What follows the modem's prompt, without the Ctrl-Z. */
  readonly text?: string
  /** Milliseconds until a final answer. @default 5000 */
  readonly timeout?: number
  /** Whether the line is of use after a silence, since nothing was asked that could be answered late. @default false */
  readonly keepOpen?: boolean
}

/** Something a modem says by itself: its first line, and the PDU that follows some of them. */
export interface Unsolicited {
  readonly line: string
  readonly pdu?: string
}

/** What an {@link AtChannel} tells. */
export interface AtListener {
  readonly onUnsolicited: (unsolicited: Unsolicited) => void
  /** Told once, when the line is gone. */
  readonly onClosed: (reason: string) => void
}

interface Pending {
  readonly command: AtCommand
  readonly lines: string[]
  readonly timer: NodeJS.Timeout
  handedOver: boolean
  readonly resolve: (lines: string[]) => void
  readonly reject: (error: AtError) => void
}

const ctrlZ = '\u001a'
const escapeKey = '\u001b'
const finalResults =
  /^(OK|ERROR|NO CARRIER|NO DIALTONE|NO ANSWER|BUSY|COMMAND NOT SUPPORT|\+CM[ES] ERROR: ?.*)$/
/** What comes by itself, unless it was asked for; followed by a PDU where the second group matches. */
const unsolicited =
  /^(?:(\+CMT|\+CDS)|\+CMTI|\+CDSI|\+CREG|\+CGREG|\+CEREG|\+CUSD|\+CLIP|\+CRING|RING|\^\w+|\*\w+)(?::|$)/

/** Commands and answers over the line to a modem, one command at a time (ITU-T V.250, 3GPP TS 27.007). */
export class AtChannel {
  /** Resolves when the line is gone, to why. */
  readonly ended: Promise<string>
  readonly #line: Duplex
  readonly #listener: AtListener
  #tellEnd: (reason: string) => void = () => {}
  readonly #queue = new PromiseQueue()
  readonly #lines = new AtLineReader()
  #pending: Pending | undefined
  #heading: string | undefined
  #closed: string | undefined

  constructor(line: Duplex, listener: AtListener) {
    this.#line = line
    this.#listener = listener
    this.ended = new Promise(resolve => {
      this.#tellEnd = resolve
    })
    line.setEncoding('latin1')
    line.on('data', (text: string) => this.#read(text))
    line.on('error', error => this.close(getReason(error)))
    line.on('close', () => this.close('hung up'))
  }

  /** Sends a command when those before it are answered; resolves to the lines before OK. Throws {@link AtError}. */
  async run(command: AtCommand): Promise<string[]> {
    return await this.#queue.run(() => this.#start(command))
  }

  /** Gives the line up; what waits for an answer gets none. */
  close(reason = 'closed'): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    this.#end({ by: 'line', reason })
    this.#line.destroy()
    this.#listener.onClosed(reason)
    this.#tellEnd(reason)
  }

  #start(command: AtCommand): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(new AtError({ by: 'line', reason: this.#closed }))
        return
      }
      const silent = (): void => {
        // It may take whatever comes next for the text: the line is of no use any more.
        if (command.text !== undefined) this.#line.write(escapeKey)
        this.#end({ by: 'silence' })
        if (command.keepOpen !== true) this.close('the modem did not answer')
      }
      const timer = setTimeout(silent, command.timeout ?? 5000)
      this.#pending = { command, lines: [], timer, handedOver: false, resolve, reject }
      this.#line.write(`${command.command}\r`)
    })
  }

  #read(text: string): void {
    for (const piece of this.#lines.push(text)) this.#take(piece)
  }

  #take(piece: AtPiece): void {
    if (piece.kind === 'prompt') this.#handOver()
    else if (this.#heading !== undefined) {
      const line = this.#heading
      this.#heading = undefined
      this.#listener.onUnsolicited({ line, pdu: piece.text })
    } else if (this.#isUnsolicited(piece.text)) this.#hear(piece.text)
    else this.#answer(piece.text)
  }

  /** A modem that answers a command with such a line says it because it was asked. */
  #isUnsolicited(line: string): boolean {
    const [name = ''] = line.split(':', 1)
    const asked = this.#pending?.command.command.toUpperCase().startsWith(`AT${name}`) ?? false
    return !asked && unsolicited.test(line)
  }

  #hear(line: string): void {
    const [, withPdu] = unsolicited.exec(line) ?? []
    if (withPdu === undefined) this.#listener.onUnsolicited({ line })
    else this.#heading = line
  }

  #handOver(): void {
    const pending = this.#pending
    if (pending?.command.text === undefined || pending.handedOver) return
    pending.handedOver = true
    this.#line.write(pending.command.text + ctrlZ)
  }

  #answer(line: string): void {
    const pending = this.#pending
    if (pending === undefined || isEcho(line, pending.command)) return
    if (!finalResults.test(line)) pending.lines.push(line)
    else if (line === 'OK') this.#settle()?.resolve(pending.lines)
    else this.#end(parseFault(line))
  }

  #end(fault: AtFault): void {
    const pending = this.#settle()
    pending?.reject(new AtError(fault, pending.handedOver))
  }

  #settle(): Pending | undefined {
    const pending = this.#pending
    this.#pending = undefined
    clearTimeout(pending?.timer)
    return pending
  }
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
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
