import type { Duplex } from 'node:stream'
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
  readonly pin?: string
  readonly echoes?: boolean
}

/** A scripted GSM modem; records the commands it got and the parts that its network got. */
export class ScriptedModem {
  readonly commands: string[] = []
  readonly sent: Submit[] = []
  /** Stored texts by index, as AT+CMGL gives them. */
  readonly stored = new Map<number, string>()
  #script: Script
  #parts = 0
  #unlocked = false
  #lines = new Set<Duplex>()

  constructor(script: Script = {}) {
    this.#script = script
  }

  setScript(script: Script): void {
    this.#script = script
  }

  say(...lines: string[]): void {
    for (const line of this.#lines) this.#write(line, lines)
  }

  hangUp(): void {
    for (const line of this.#lines) line.destroy()
  }

  get lines(): number {
    return this.#lines.size
  }

  attach(line: Duplex): void {
    this.#lines.add(line)
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
    if (this.#script.echoes) this.#write(line, [command])
    const given = this.#script.answers?.[command]
    const [, length] = /^AT\+CMGS=(\d+)$/.exec(command) ?? []
    if (given !== undefined || length === undefined) {
      this.#write(line, given ?? this.#answer(command))
      return undefined
    }
    line.write('\r\n> ')
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
    if (command === 'AT+CSQ') return ['+CSQ: 20,99', 'OK']
    if (command === 'AT+CREG?') return ['+CREG: 0,1', 'OK']
    if (command === 'AT+CMGL=4') {
      return [...this.stored].flatMap(([at, pdu]) => [`+CMGL: ${at},0,,24`, pdu]).concat('OK')
    }
    const [, verb, index] = /^AT\+CMG([RD])=(\d+)$/.exec(command) ?? []
    const pdu = this.stored.get(Number(index))
    if (verb === 'R') return pdu === undefined ? ['+CMS ERROR: 321'] : ['+CMGR: 0,,24', pdu, 'OK']
    if (verb === 'D') this.stored.delete(Number(index))
    return ['OK']
  }

  #take(line: Duplex, hex: string, length: number): void {
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
  }

  #write(line: Duplex, lines: readonly string[]): void {
    const text = lines.map(each => `\r\n${each}\r\n`).join('')
    if (this.#script.dribbles) for (const byte of text) line.write(byte, 'latin1')
    else if (text !== '') line.write(text, 'latin1')
  }
}
