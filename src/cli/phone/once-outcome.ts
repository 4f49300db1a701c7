import type { PhoneEvent, PhoneResult } from '../../phone/events/phone-events.js'
import { exitCodes } from '../terminal/exit-codes.js'

export class OnceOutcome {
  #taken: string | undefined
  #sent = false

  addEvent(event: PhoneEvent): void {
    if (event.event === 'took') {
      this.#taken = event.id
      this.#sent = false
    }
    if (event.event === 'sent' && event.id === this.#taken) this.#sent = true
  }

  /**
   * The exit code for the message that the phone took. Without one it is the code for an outcome of
   * an earlier run that the phone reported, or for nothing due.
   */
  getExitCode(result: PhoneResult): number {
    if (result.unreported > 0) return exitCodes.failed
    if (this.#taken !== undefined) {
      return this.#sent ? exitCodes.ok : exitCodes.notSent
    }
    if (result.failed + result.unknown > 0 || result.trouble !== undefined) return exitCodes.notSent
    return result.sent > 0 ? exitCodes.ok : exitCodes.nothingDue
  }
}
