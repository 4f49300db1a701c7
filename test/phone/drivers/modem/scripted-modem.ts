import type { Duplex } from 'node:stream'
import { ModemStorage } from './modem-storage.js'
import { readSubmit, type Submit } from './read-submit.js'

/** A modem's reaction to a part; `sent` is whether the network got it before. */
export type Reaction =
  | 'ok'
  | { readonly says: string }
  | { readonly goes: 'silent' | 'hangs up'; readonly sent: boolean }

export interface Script {
  /** The reaction to the n-th part, from 0. @default ok */
  readonly react?: (part: Submit, n: number) => Reaction
  /** Answers to commands that replace the usual ones; an empty list is silence. */
  readonly answers?: Readonly<Record<string, readonly string[]>>
  /** Whether each byte is written by itself. */
  readonly dribbles?: boolean
  /** Unsolicited lines within the answer to each part. */
  readonly says?: readonly string[]
  /** What the modem writes as its prompt. @default > */
  readonly prompt?: string
  readonly pin?: string
  readonly echoes?: boolean
  /** Memories for texts, the first for received ones. @default SM and ME */
  readonly memories?: readonly string[]
  /** Texts that each memory can hold. @default 50 */
  readonly total?: number
}

/** A scripted GSM modem; records the commands it got and the parts that its network got. */
export class ScriptedModem {
  readonly commands: string[] = []
  readonly sent: Submit[] = []
  /** Texts that the modem took in text mode: a PDU as words, to a length as the number. */
  readonly misread: string[] = []
  readonly storage: ModemStorage
  /** Called with each command; true for one that the modem does not answer. */
  ignores: (command: string) => boolean = () => false
  /** Called when the modem has ignored a command or a text. */
  onIgnored: () => void = () => {}
  /** How often a line to the modem was opened. */
  opened = 0
  #script: Script
  #parts = 0
  #unlocked = false
  #isInTextMode = true
  #hasEcho: boolean | undefined
  #lines = new Set<Duplex>()

  constructor(script: Script = {}) {
    this.#script = script
    this.storage = new ModemStorage(script.memories ?? ['SM', 'ME'], script.total ?? 50)
  }

  /** Texts in the SIM's memory by index. */
  get stored(): Map<number, string> {
    return this.storage.get('SM')
  }

  setScript(script: Script): void {
    this.#script = script
  }

  say(...lines: string[]): void {
    for (const line of this.#lines) this.#write(line, lines)
  }

  /** Forgets its settings and locks its SIM, as a modem that starts again; says these lines. */
  restart(...lines: string[]): void {
    this.#unlocked = false
    this.#isInTextMode = true
    this.#hasEcho = true
    this.say(...lines)
  }

  hangUp(): void {
    for (const line of this.#lines) line.destroy()
  }

  get lines(): number {
    return this.#lines.size
  }

  attach(line: Duplex): void {
    this.#lines.add(line)
    this.opened += 1
    line.on('close', () => this.#lines.delete(line)).on('error', () => {})
    line.setEncoding('latin1')
    let rest = ''
    let length: number | undefined
    line.on('data', (text: string) => {
      rest += text
      for (;;) {
        const end = rest.search(length === undefined ? /\r/ : /[\u001a\u001b]/)
        if (end === -1) return
        const given = rest.slice(0, end)
        const isText = length !== undefined
        const isDropped = isText && rest[end] === '\u001b'
        rest = rest.slice(end + 1)
        if (isText) {
          if (!isDropped) this.#take(line, given, length ?? 0)
          length = undefined
        } else length = this.#handle(line, given.replace(/\u001b/g, ''))
      }
    })
  }

  /** Handles a command; returns the length of the text that follows, if one does. */
  #handle(line: Duplex, command: string): number | undefined {
    this.commands.push(command)
    if (this.ignores(command)) {
      this.onIgnored()
      return undefined
    }
    if (this.#script.echoes || this.#hasEcho) this.#write(line, [command])
    const given = this.#script.answers?.[command]
    const [, length] = /^AT\+CMGS=(\d+)$/.exec(command) ?? []
    if (given !== undefined || length === undefined) {
      this.#write(line, given ?? this.#answer(command))
      return undefined
    }
    line.write(this.#script.prompt ?? '\r\n> ')
    return Number(length)
  }

  #answer(command: string): string[] {
    const { pin } = this.#script
    if (command === 'AT+CPIN?')
      return [`+CPIN: ${pin === undefined || this.#unlocked ? 'READY' : 'SIM PIN'}`, 'OK']
    if (command.startsWith('AT+CPIN=')) {
      this.#unlocked = command === `AT+CPIN="${pin}"`
      return [this.#unlocked ? 'OK' : '+CME ERROR: 16']
    }
    if (command === 'ATE0') this.#hasEcho = false
    if (command === 'AT+CMGF?') return [`+CMGF: ${this.#isInTextMode ? 1 : 0}`, 'OK']
    if (command === 'AT+CMGF=0') this.#isInTextMode = false
    if (command === 'AT+CSQ') return ['+CSQ: 20,99', 'OK']
    if (command === 'AT+CREG?') return ['+CREG: 0,1', 'OK']
    return this.storage.answer(command) ?? ['OK']
  }

  #take(line: Duplex, hex: string, length: number): void {
    if (this.#isInTextMode) {
      this.misread.push(hex)
      this.#write(line, ['+CMGS: 1', 'OK'])
      return
    }
    if (hex.length / 2 - 1 !== length) {
      this.#write(line, ['+CMS ERROR: 304'])
      return
    }
    const part = readSubmit(hex)
    const reaction = this.#script.react?.(part, this.#parts) ?? 'ok'
    this.#parts += 1
    const sent = reaction === 'ok' || ('goes' in reaction && reaction.sent)
    if (sent) this.sent.push(part)
    if (reaction === 'ok') {
      this.#write(line, [...(this.#script.says ?? []), `+CMGS: ${this.#parts % 256}`, 'OK'])
    } else if ('says' in reaction) this.#write(line, [reaction.says])
    else if (reaction.goes === 'hangs up') line.destroy()
    else this.onIgnored()
  }

  #write(line: Duplex, lines: readonly string[]): void {
    const text = lines.map(each => `\r\n${each}\r\n`).join('')
    if (this.#script.dribbles) for (const byte of text) line.write(byte, 'latin1')
    else if (text !== '') line.write(text)
  }
}
