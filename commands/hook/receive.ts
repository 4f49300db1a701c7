import { string } from '@oclif/core/flags'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { FaultPlan } from '../../src/cli/hook/receive/fault-plan.js'
import {
  formatCountsTable,
  formatReceivedWebhook,
  formatWarnings,
} from '../../src/cli/hook/receive/receive-view.js'
import type { ReceiveResult } from '../../src/cli/hook/receive/receive-webhooks.js'
import type { SignatureCheck } from '../../src/cli/hook/receive/signature-check.js'
import { sumCounts } from '../../src/cli/hook/receive/subscription-counts.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import {
  parseDuration,
  parseInteger,
  parseSeed,
  parseShare,
} from '../../src/cli/terminal/parse-values.js'
import { RelayError } from '../../src/errors.js'
import { pause } from '../../src/util/async/clock.js'

export default class HookReceive extends BaseCommand {
  static override summary = 'Receive hits, misbehave on purpose, and count what was lost.'
  static override description =
    'Takes hits of any method, answers 200 or, by chance, 500, 503 or 429, delays or resets the connection, before ' +
    'or after the work was done, and counts for each lane (method and address) what came twice, too late or ' +
    'never. Subscribe an address of its own for each subscription: `hook create message.sent ' +
    'http://127.0.0.1:9000/sent`. A reset after the work makes the relay repeat the hit: that doubles an event and is no ' +
    'fault of the relay. It runs until Ctrl-C, until --count events were accepted, or until --max-wait has passed (exit ' +
    'code 124), and ends with 1 when events were reordered or lost. With --json each line is one of ' +
    '{"type":"ready"}, {"type":"hit"} and {"type":"end"}.'
  static override examples = [
    '<%= config.bin %> hook receive --port 9000',
    '<%= config.bin %> hook receive --port 9000 --fail 10% --reset 1% --delay 50ms --seed 7',
    '<%= config.bin %> hook receive --port 9000 --count 100 --max-wait 1m --json',
  ]
  static override flags = {
    port: string({ description: 'Port to listen on. [default: a free one]', helpValue: 'N' }),
    host: string({ description: 'Address to listen on.', helpValue: 'HOST', default: '127.0.0.1' }),
    fail: string({
      description: 'Share of hits answered with 500, 503 or 429.',
      helpValue: '10%',
      default: '0%',
    }),
    reset: string({
      description: 'Share of hits whose connection is reset, half of them after the work.',
      helpValue: '1%',
      default: '0%',
    }),
    delay: string({
      description: 'Time before each answer, half of it to half more.',
      helpValue: 'TIME',
      default: '0',
    }),
    seed: string({
      description: 'Decides on what happens to the n-th hit of a lane. [default: a new one]',
      helpValue: 'N',
    }),
    count: string({ description: 'End after so many different events.', helpValue: 'N' }),
    'max-wait': string({
      description: 'End after this long, with exit code 124.',
      helpValue: 'TIME',
    }),
    secret: string({
      description: 'Secret of the account: hits not signed with it are answered 401.',
      env: 'SMSRELAY_HOOK_SECRET',
      helpValue: 'whsec_…',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(HookReceive)
    const { count, 'max-wait': wait } = flags
    const shares = {
      fail: parseShare('--fail', flags.fail),
      reset: parseShare('--reset', flags.reset),
      delay: parseDuration('--delay', flags.delay),
    }
    if (shares.fail + shares.reset > 1) {
      throw new RelayError('usage', '--fail and --reset must be 100% together at most.')
    }
    const seeded = parseSeed('--seed', flags.seed, Math.random)
    const options = {
      port: parseInteger('--port', flags.port ?? '0', 0, 65535),
      count: count === undefined ? undefined : parseInteger('--count', count, 1, 1e9),
      maxWait: wait === undefined ? undefined : parseDuration('--max-wait', wait),
      check: await loadSignatureCheck(flags.secret),
    }
    const { receiveWebhooks: receiveHits } = await import(
      '../../src/cli/hook/receive/receive-webhooks.js'
    )
    const result = await receiveHits({
      ...{ host: flags.host, ...options, pause, signal: this.signal },
      plan: new FaultPlan(shares, seeded),
      onReady: url =>
        this.printLine(
          { type: 'ready', url, seed: seeded },
          () => `Ready: ${url} (seed ${seeded})`,
        ),
      onWebhook: hit =>
        this.printLine(
          { type: 'hit', time: new Date().toISOString(), ...hit },
          formatReceivedWebhook,
        ),
    })
    this.#end(result, count !== undefined)
  }

  #end({ reason, hits, strange, lanes }: ReceiveResult, counted: boolean): void {
    const sum = sumCounts(lanes)
    this.printLine({ type: 'end', reason, hits, strange, ...sum, lanes }, () =>
      formatCountsTable(lanes),
    )
    for (const doubt of formatWarnings(lanes, strange)) this.printNote(doubt)
    if (reason === 'max-wait') this.setExitCode(exitCodes.timedOut)
    if (reason === 'stopped' && counted && this.isInterrupted)
      this.setExitCode(exitCodes.interrupted)
    if ((sum.reordered ?? 0) + (sum.lost ?? 0) > 0) this.setExitCode(exitCodes.failed)
  }
}

/** The libraries of signatures are loaded by those who have a secret. */
async function loadSignatureCheck(secret: string | undefined): Promise<SignatureCheck | undefined> {
  if (secret === undefined) return undefined
  const { createSignatureCheck: arrivalCheck } = await import(
    '../../src/cli/hook/receive/signature-check.js'
  )
  return arrivalCheck(secret)
}
