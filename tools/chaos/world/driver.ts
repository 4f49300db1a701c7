import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Send } from '../oracle/history.js'

/** At which point the program that sends a text kills the phone that runs it, and whether it goes on itself. */
export type DriverOrder = 'unsent' | 'unsent-goes-on' | 'sent'

/** Words in a text that has its first attempt fail. */
export const failsFirst = 'fails first'

/**
 * What stands for a modem: appends what it sent to a file of its own, in one write at its end. The file is the
 * observer's: it does not go through anything of the program that is tested.
 */
const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
order=
if [ -e order ] && mv order "order-$$" 2>/dev/null; then order=$(cat "order-$$"); fi
case "$2" in *"${failsFirst}"*)
  if [ ! -e "failed-$SMSRELAY_ID" ]; then : > "failed-$SMSRELAY_ID"; echo x >> failed; echo 'no carrier' >&2; exit 1; fi ;;
esac
case "$order" in
  unsent) kill -9 "$PPID"; exit 1 ;;
  unsent-goes-on) kill -9 "$PPID"; sleep 0.2 ;;
esac
printf '%s %s %s %s\\n' "$CHAOS_PHONE" "$CHAOS_LIFE" "$SMSRELAY_ID" "$2" >> sent
if [ "$order" = sent ]; then kill -9 "$PPID"; fi
exit 0
`

/** The driver of a cell, and what it wrote down. */
export class Driver {
  readonly #command: string
  readonly #directory: string
  readonly #sent: string
  readonly #failed: string
  /** Bytes of the file that were counted, and the lines in them. */
  #counted = { bytes: 0, lines: 0 }

  /** Writes the program into a directory. */
  constructor(directory: string) {
    this.#directory = directory
    this.#command = join(directory, 'send')
    writeFileSync(this.#command, script, { mode: 0o700 })
    this.#sent = join(directory, 'sent')
    this.#failed = join(directory, 'failed')
    for (const path of [this.#sent, this.#failed]) writeFileSync(path, '')
  }

  /** The program as one phone calls it. */
  commandOf(phone: string): string {
    this.giveTo(phone)
    return this.#pathOf(phone)
  }

  /** Lets a phone have the program. */
  giveTo(phone: string): void {
    this.takeFrom(phone)
    symlinkSync(this.#command, this.#pathOf(phone))
  }

  /** Takes the program away from a phone: it has trouble with every text. */
  takeFrom(phone: string): void {
    rmSync(this.#pathOf(phone), { force: true })
  }

  /** What the next run of it does to its phone. */
  order(order: DriverOrder): void {
    writeFileSync(join(this.#directory, 'order'), order)
  }

  /** Takes back an order that nobody has carried out. */
  withdraw(): void {
    rmSync(join(this.#directory, 'order'), { force: true })
  }

  #pathOf(phone: string): string {
    return join(this.#directory, `send-${phone}`)
  }

  /** Texts that were sent, and attempts that failed, so far. */
  attempts(): number {
    const { size } = statSync(this.#sent)
    if (size > this.#counted.bytes) {
      const lines = readFileSync(this.#sent, 'latin1').split('\n').length - 1
      this.#counted = { bytes: size, lines }
    }
    return this.#counted.lines + statSync(this.#failed).size / 2
  }

  /** Every text that was sent, in order. */
  sends(): Send[] {
    const lines = readFileSync(this.#sent, 'utf8').split('\n')
    return lines.slice(0, -1).map(line => {
      const [, phone = '', life = '', id = '', text = ''] =
        /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? []
      return { phone, life, id, text }
    })
  }
}
