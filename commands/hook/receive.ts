import { string } from '@oclif/core/flags'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { FaultPlan } from '../../src/cli/hook/receive/fault-plan.js'
import {
  formatCountsTable,
  formatReceivedWebhook,
  formatWarnings,
} from '../../src/cli/hook/receive/receive-view.js'
import { type ReceiveResult, receiveWebhooks } from '../../src/cli/hook/receive/receive-webhooks.js'
import { createSignatureCheck } from '../../src/cli/hook/receive/received-webhook.js'
import { sumCounts } from '../../src/cli/hook/receive/subscription-counts.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import {
  parseDuration,
  parseInteger,
  parseSeed,
  parseShare,
} from '../../src/cli/terminal/parse-values.js'
import { limits } from '../../src/domain/limits.js'
import { RelayError } from '../../src/errors.js'

const description = `For each webhook it responds with 200, or fails as --fail, --reset and \
--delay specify, and it counts doubled, reordered and lost events of each subscription. Give each \
subscription its own address. A reset after processing makes the relay send the webhook again, \
which is a doubled event but not an error.

Exit codes: 0 at Ctrl-C or --count; 1 for reordered or lost events; 124 at --max-wait.
Types of the lines with --json: ready, hit, end.`

export default class HookReceive extends BaseCommand {
  static override summary = 'Receive webhooks, fail on purpose, and count lost events.'
  static override description = description
  static override examples = [
    {
      description: 'Receive webhooks on port 9000.',
      command: '<%= config.bin %> hook receive --port 9000',
    },
    {
      description: 'Subscribe that receiver, if the relay is on the same machine.',
      command: '<%= config.bin %> hook create message.sent http://127.0.0.1:9000/sent',
    },
    {
      description: 'Fail 10 % of the webhooks, and reset 1 % of the connections.',
      command:
        '<%= config.bin %> hook receive --port 9000 --fail 10% --reset 1% --delay 50ms --seed 7',
    },
    {
      description: 'In a script, wait for 100 events.',
      command: '<%= config.bin %> hook receive --port 9000 --count 100 --max-wait 1m --json',
    },
  ]
  static override flags = {
    port: string({
      description: 'Port to listen on.',
      env: 'SMSRELAY_HOOK_PORT',
      defaultHelp: async () => 'a free one',
      helpValue: 'N',
    }),
    host: string({
      description: 'Address to listen on.',
      env: 'SMSRELAY_HOOK_HOST',
      helpValue: 'HOST',
      default: '127.0.0.1',
    }),
    fail: string({
      description: 'Share of webhooks that get 500, 503 or 429.',
      env: 'SMSRELAY_FAIL',
      helpValue: '10%',
      default: '0%',
    }),
    reset: string({
      description: 'Share of webhooks whose connection is reset, half of them after processing.',
      env: 'SMSRELAY_RESET',
      helpValue: '1%',
      default: '0%',
    }),
    delay: string({
      description: 'Mean time before each response; varies by half.',
      env: 'SMSRELAY_HOOK_DELAY',
      helpValue: 'TIME',
      default: '0',
    }),
    seed: string({
      description: 'The same seed fails the same webhooks of each subscription.',
      env: 'SMSRELAY_HOOK_SEED',
      defaultHelp: async () => 'random',
      helpValue: 'N',
    }),
    count: string({
      description: 'End after this number of different events.',
      env: 'SMSRELAY_HOOK_RECEIVE_COUNT',
      helpValue: 'N',
    }),
    'max-wait': string({
      description: 'End after this time, with exit code 124.',
      env: 'SMSRELAY_MAX_WAIT',
      helpValue: 'TIME',
    }),
    window: string({
      description: 'Window of the subscriptions: so many webhooks may arrive in any order.',
      env: 'SMSRELAY_HOOK_RECEIVE_WINDOW',
      helpValue: '1-32',
      default: '1',
    }),
    secret: string({
      description: 'Respond with 401 to webhooks that are not signed with this secret.',
      env: 'SMSRELAY_HOOK_SECRET',
      helpValue: 'whsec_…',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(HookReceive)
    const { count, 'max-wait': maxWait, secret } = flags
    const shares = {
      fail: parseShare('--fail', flags.fail),
      reset: parseShare('--reset', flags.reset),
      delay: parseDuration('--delay', flags.delay),
    }
    if (shares.fail + shares.reset > 1) {
      const sum = `${flags.fail} and ${flags.reset}`
      throw new RelayError('usage', `--fail and --reset exceed 100 % together: ${sum}.`)
    }
    const { clock } = this.io
    const seed = parseSeed('--seed', flags.seed, Math.random)
    const result = await receiveWebhooks({
      host: flags.host,
      port: parseInteger('--port', flags.port ?? '0', 0, 65_535),
      plan: new FaultPlan(shares, seed),
      check: secret === undefined ? undefined : createSignatureCheck(secret),
      count: count === undefined ? undefined : parseInteger('--count', count, 1, 1e9),
      window: parseInteger('--window', flags.window, 1, limits.window),
      maxWait: maxWait === undefined ? undefined : parseDuration('--max-wait', maxWait),
      signal: this.signal,
      clock,
      onReady: url =>
        this.printLine({ type: 'ready', url, seed }, () => `Ready: ${url} (seed ${seed})`),
      onWebhook: webhook => {
        const time = new Date(clock.now()).toISOString()
        const { address: lane, ...rest } = webhook
        this.printLine({ type: 'hit', time, lane, ...rest }, () =>
          formatReceivedWebhook(webhook, time),
        )
      },
    })
    this.#printEnd(result, count !== undefined)
  }

  #printEnd(
    { reason, received: hits, strange, subscriptions }: ReceiveResult,
    waits: boolean,
  ): void {
    const sum = sumCounts(subscriptions)
    const lanes = subscriptions.map(({ address: lane, ...counts }) => ({ lane, ...counts }))
    this.printLine({ type: 'end', reason, hits, strange, ...sum, lanes }, () =>
      formatCountsTable(subscriptions),
    )
    for (const warning of formatWarnings(subscriptions, strange)) this.printNote(warning)
    if (reason === 'max-wait') this.setExitCode(exitCodes.timedOut)
    if (reason === 'stopped' && waits && this.isInterrupted) {
      this.setExitCode(exitCodes.interrupted)
    }
    if ((sum.reordered ?? 0) + (sum.lost ?? 0) > 0) this.setExitCode(exitCodes.failed)
  }
}
