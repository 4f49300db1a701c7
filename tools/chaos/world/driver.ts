import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Send } from '../oracle/history.js'

/** When the sending program kills its phone, and whether it then continues. */
export type DriverOrder = 'unsent' | 'unsent-goes-on' | 'sent'

/** Part of a text whose first attempt fails. */
export const failsFirst = 'fails first'

/**
 * A program in place of a modem. It appends each text that it sent to a file in one write; the file
 * belongs to the observer, not to the tested program.
 */
const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
order=
if [ -e order ] && mv order "order-$$" 2>/dev/null; then order=$(cat "order-$$"); fi
case "$2" in *"${failsFirst}"*)
  if [ ! -e "failed-$SMSRELAY_ID" ]; then
    : > "failed-$SMSRELAY_ID"
    echo x >> failed
    echo 'no carrier' >&2
    exit 1
  fi ;;
esac
case "$order" in
  unsent) kill -9 "$PPID"; exit 1 ;;
  unsent-goes-on) kill -9 "$PPID"; sleep 0.2 ;;
esac
printf '%s %s %s %s\\n' "$CHAOS_PHONE" "$CHAOS_LIFE" "$SMSRELAY_ID" "$2" >> sent
if [ "$order" = sent ]; then kill -9 "$PPID"; fi
exit 0
`

/** The driver of a cell and its file. */
export class Driver {
  readonly #command: string
  readonly #directory: string
  readonly #sent: string
  readonly #failed: string
  /** Counted bytes and lines of the file. */
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

  /** The command with which one phone calls the program. */
  commandOf(phone: string): string {
    this.giveTo(phone)
    return this.#pathOf(phone)
  }

  /** Makes the program available to a phone. */
  giveTo(phone: string): void {
    this.takeFrom(phone)
    symlinkSync(this.#command, this.#pathOf(phone))
  }

  /** Makes the program unavailable to a phone: every attempt fails. */
  takeFrom(phone: string): void {
    rmSync(this.#pathOf(phone), { force: true })
  }

  /** Sets how the next call kills its phone. */
  order(order: DriverOrder): void {
    writeFileSync(join(this.#directory, 'order'), order)
  }

  /** Cancels an order that was not executed. */
  withdraw(): void {
    rmSync(join(this.#directory, 'order'), { force: true })
  }

  #pathOf(phone: string): string {
    return join(this.#directory, `send-${phone}`)
  }

  /** Numbers of sent texts and failed attempts so far. */
  attempts(): number {
    const { size } = statSync(this.#sent)
    if (size > this.#counted.bytes) {
      const lines = readFileSync(this.#sent, 'latin1').split('\n').length - 1
      this.#counted = { bytes: size, lines }
    }
    return this.#counted.lines + statSync(this.#failed).size / 2
  }

  /** All sent texts, in order. */
  sends(): Send[] {
    const lines = readFileSync(this.#sent, 'utf8').split('\n')
    return lines.slice(0, -1).map(line => {
      const [, phone = '', life = '', id = '', text = ''] =
        /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? []
      return { phone, life, id, text }
    })
  }
}
