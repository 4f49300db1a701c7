/** The memories of a scripted modem and what AT commands answer about them (3GPP TS 27.005). */
export class ModemStorage {
  /**
   * PDUs by memory and index. A PDU that is no new text has its status in front, such as `2 ` for a
   * draft and `3 ` for a sent text.
   */
  readonly memories: ReadonlyMap<string, Map<number, string>>
  readonly #total: number
  #present: string

  constructor(names: readonly string[], total: number) {
    this.memories = new Map(names.map(name => [name, new Map<number, string>()]))
    this.#present = names[0] ?? ''
    this.#total = total
  }

  /** The memory that the modem reads from. */
  get present(): string {
    return this.#present
  }

  get(name: string): Map<number, string> {
    return this.memories.get(name) ?? new Map()
  }

  answer(command: string): string[] | undefined {
    const stored = this.get(this.#present)
    if (command.startsWith('AT+CPMS')) return this.#answerMemories(command)
    const [, wanted] = /^AT\+CMGL=([04])$/.exec(command) ?? []
    if (wanted !== undefined) {
      const lines = [...stored].flatMap(([at, text]) => {
        const { status, pdu } = parseStored(text)
        return wanted === '4' || status === '0' ? [`+CMGL: ${at},${status},,24`, pdu] : []
      })
      return [...lines, 'OK']
    }
    const [, verb, index] = /^AT\+CMG([RD])=(\d+)$/.exec(command) ?? []
    if (verb === undefined) return undefined
    const found = stored.get(Number(index))
    if (verb === 'D') stored.delete(Number(index))
    if (verb === 'D') return ['OK']
    if (found === undefined) return ['+CMS ERROR: 321']
    const { status, pdu } = parseStored(found)
    return [`+CMGR: ${status},,24`, pdu, 'OK']
  }

  #answerMemories(command: string): string[] {
    const names = [...this.memories.keys()]
    const list = `(${names.map(name => `"${name}"`).join(',')})`
    if (command === 'AT+CPMS=?') return [`+CPMS: ${list},${list},${list}`, 'OK']
    const describe = (name: string) => `"${name}",${this.get(name).size},${this.#total}`
    if (command === 'AT+CPMS?') {
      return [
        `+CPMS: ${[this.#present, names[0], names[0]].map(each => describe(each ?? ''))}`,
        'OK',
      ]
    }
    const [, name = ''] = /^AT\+CPMS="(\w+)"$/.exec(command) ?? []
    if (!this.memories.has(name)) return ['+CMS ERROR: 302']
    this.#present = name
    return ['+CPMS: 0,10,0,10,0,10', 'OK']
  }
}

function parseStored(text: string): { status: string; pdu: string } {
  const [, status = '0', pdu = text] = /^(\d) (.*)$/.exec(text) ?? []
  return { status, pdu }
}
