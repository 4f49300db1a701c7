import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SentText } from '../oracle/history.js'

/** When the sending program kills its phone; with `unsent-goes-on` the program itself continues. */
export type DriverFault = 'unsent' | 'unsent-goes-on' | 'sent'

/** A text with this mark fails at its first attempt. */
export const failsFirstMark = 'fails first'

/**
 * Takes the place of a modem: appends each sent text to a file, in one write at its end. Only the
 * test reads this file; no code under test touches it.
 */
const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
order=
if [ -e order ] && mv order "order-$$" 2>/dev/null; then order=$(cat "order-$$"); fi
case "$2" in *"${failsFirstMark}"*)
  if [ ! -e "failed-$SMSRELAY_ID" ]; then : > "failed-$SMSRELAY_ID"; echo x >> failed
    echo 'no carrier' >&2; exit 1; fi ;;
esac
case "$order" in
  unsent) kill -9 "$PPID"; exit 1 ;;
  unsent-goes-on) kill -9 "$PPID"; sleep 0.2 ;;
esac
printf '%s %s %s %s\\n' "$CHAOS_PHONE" "$CHAOS_LIFE" "$SMSRELAY_ID" "$2" >> sent
if [ "$order" = sent ]; then kill -9 "$PPID"; fi
exit 0
`

/** The program that sends texts, and the file of what it sent. */
export class Driver {
  readonly #command: string
  readonly #directory: string
  readonly #sent: string
  readonly #failed: string
  /** The part of the file that was counted. */
  #counted = { bytes: 0, lines: 0 }

  constructor(directory: string) {
    this.#directory = directory
    this.#command = join(directory, 'send')
    writeFileSync(this.#command, script, { mode: 0o700 })
    this.#sent = join(directory, 'sent')
    this.#failed = join(directory, 'failed')
    for (const path of [this.#sent, this.#failed]) writeFileSync(path, '')
  }

  /** The command of one phone. */
  createCommand(phone: string): string {
    this.enableFor(phone)
    return this.#getPath(phone)
  }

  enableFor(phone: string): void {
    this.disableFor(phone)
    symlinkSync(this.#command, this.#getPath(phone))
  }

  /** Removes the program from a phone: every text causes a driver error. */
  disableFor(phone: string): void {
    rmSync(this.#getPath(phone), { force: true })
  }

  /** Sets what the next run does to its phone. */
  setFault(order: DriverFault): void {
    writeFileSync(join(this.#directory, 'order'), order)
  }

  /** Removes a fault that did not happen. */
  clearFault(): void {
    rmSync(join(this.#directory, 'order'), { force: true })
  }

  #getPath(phone: string): string {
    return join(this.#directory, `send-${phone}`)
  }

  /** The number of sent texts and failed attempts. */
  countAttempts(): number {
    const { size } = statSync(this.#sent)
    if (size > this.#counted.bytes) {
      const lines = readFileSync(this.#sent, 'latin1').split('\n').length - 1
      this.#counted = { bytes: size, lines }
    }
    return this.#counted.lines + statSync(this.#failed).size / 2
  }

  /** Every sent text, in order. */
  readSends(): SentText[] {
    const lines = readFileSync(this.#sent, 'utf8').split('\n')
    return lines.slice(0, -1).map(line => {
      const [, phone = '', life = '', id = '', text = ''] =
        /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? []
      return { phone, life, id, text }
    })
  }
}
