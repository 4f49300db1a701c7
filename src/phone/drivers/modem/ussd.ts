import { defaultTables, encodeSeptets, packSeptets } from '../../../domain/sms/gsm-alphabet.js'
import { decodeUssdText } from '../../../domain/sms/ussd-text.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import { type AtChannel, tryCommand, type Unsolicited } from './at-channel.js'
import { AtError } from './at-error.js'

/** Milliseconds. */
const commandTimeout = 30_000
const replyTimeout = 60_000

interface UssdReply {
  /** 0: complete; 1: the network waits for a choice; 2 to 5: ended (3GPP TS 27.007 7.15). */
  readonly status: number
  readonly text: string
  /** Data coding scheme of the USSD reply (3GPP TS 23.038 section 5). */
  readonly coding: number
}

const endings: Readonly<Record<number, string>> = {
  2: 'The network ended the dialogue.',
  3: 'Another program has answered.',
  4: 'The network does not support this code.',
  5: 'The network did not answer in time.',
}

/** Sends USSD codes with AT+CUSD, one at a time; the reply is an unsolicited line. */
export class UssdExchange {
  #receive: (reply: UssdReply) => void = () => {}

  handleUnsolicited({ line }: Unsolicited): void {
    const [, status, quoted, bare, coding = '15'] =
      /^\+CUSD: ?(\d)(?:, ?(?:"(.*)"|([^",]*))(?:, ?(\d+))?)?$/s.exec(line) ?? []
    const text = quoted ?? bare ?? ''
    if (status !== undefined) {
      this.#receive({ status: Number(status), text, coding: Number(coding) })
    }
  }

  /** Returns the network's reply to a code. Throws {@link DriverError}. */
  async query(
    channel: AtChannel,
    code: string,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<string> {
    const done = new AbortController()
    const replied = new Promise<UssdReply>(resolve => {
      this.#receive = resolve
    })
    const ended = AbortSignal.any([signal, done.signal])
    try {
      const isPacked = await sendCode(channel, code)
      const late = clock.sleep(replyTimeout, ended).then(() => undefined)
      const lost = channel.ended.then(() => undefined)
      const reply = await Promise.race([replied, late, lost])
      if (reply === undefined) throw new DriverError('unknown', 'The network did not reply.')
      // The network would wait for a choice, which the next code would be taken for.
      if (reply.status === 1) await tryCommand(channel, { command: 'AT+CUSD=2' })
      return readReply(reply, isPacked)
    } catch (error) {
      if (!(error instanceof AtError)) throw error
      throw new DriverError('trouble', error.message, { cause: error })
    } finally {
      done.abort()
      this.#receive = () => {}
    }
  }
}

async function sendCode(channel: AtChannel, code: string): Promise<boolean> {
  await tryCommand(channel, { command: 'AT+CSCS="IRA"' })
  try {
    await channel.run({ command: `AT+CUSD=1,"${code}",15`, timeout: commandTimeout })
    return false
  } catch (error) {
    if (!isFormatError(error)) throw error
  }
  const septets = encodeSeptets(code, defaultTables)
  const packed = Buffer.from(packSeptets(septets)).toString('hex').toUpperCase()
  await channel.run({ command: `AT+CUSD=1,"${packed}",15`, timeout: commandTimeout })
  return true
}

/** `+CME ERROR` codes for parameters that a modem does not take (3GPP TS 27.007 section 9.2). */
const formatErrors = [4, 21, 24, 25, 26, 27, 50, 53, 100]

function isFormatError(error: unknown): boolean {
  if (!(error instanceof AtError)) return false
  const { fault } = error
  return fault.by === 'words' || (fault.by === 'equipment' && formatErrors.includes(fault.code))
}

function readReply({ status, text, coding }: UssdReply, isPacked: boolean): string {
  const ending = endings[status]
  if (ending !== undefined && text === '') throw new DriverError('fail', ending)
  return decodeUssdText(text, coding, isPacked)
}
