import { writeFile } from 'node:fs/promises'
import { defineRequiredArgument } from '../src/cli/command/arguments.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { describePlainHttp } from '../src/cli/profile/connection.js'
import { exitCodes } from '../src/cli/terminal/exit-codes.js'
import { formatJunitReport } from '../src/cli/verify/junit-report.js'
import type { RelayUnderTest } from '../src/cli/verify/relay/relay-under-test.js'
import type { Rule } from '../src/cli/verify/relay/rule.js'
import { openRelayUnderTest, type RuleResult, runRules } from '../src/cli/verify/run-rules.js'
import { createVerifyTarget, parseSections, verifyFlags } from '../src/cli/verify/verify-flags.js'
import {
  countResults,
  formatRuleResult,
  formatVerifyCounts,
} from '../src/cli/verify/verify-view.js'
import { RelayError } from '../src/errors.js'
import { getFailureReason } from '../src/util/files/file-error.js'

/** Milliseconds in which everything that was created is removed. */
const closeTime = 10_000

export default class Verify extends BaseCommand {
  static override summary = 'Check that a relay follows the interface, rule by rule.'
  static override description =
    'Works with any relay that has the interface of docs/reference/interface.md. Keys come from ' +
    'SMSRELAY_SECRET_KEY, SMSRELAY_API_KEY and SMSRELAY_APP_KEY. It sends to test numbers only, ' +
    'and removes everything that it creates. Exits with 1 after a failure.'
  static override examples = [
    { description: 'Check a relay.', command: '<%= config.bin %> verify http://127.0.0.1:8080' },
    {
      description: 'Check messages and subscriptions only, with a report for a CI.',
      command:
        '<%= config.bin %> verify http://127.0.0.1:8080 --only 4.2 --only 4.3 --junit report.xml',
    },
    {
      description: 'Let the webhooks of a relay elsewhere reach this machine.',
      command:
        '<%= config.bin %> verify https://sms.example.com --port 9000 --host 0.0.0.0 ' +
        '--public-url http://203.0.113.7:9000',
    },
  ]
  static override baseFlags = {
    json: BaseCommand.baseFlags.json,
    help: BaseCommand.baseFlags.help,
  } as typeof BaseCommand.baseFlags
  static override args = { url: defineRequiredArgument('Address of the relay.') }
  static override flags = verifyFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Verify)
    const address = await this.requireValue(args.url, {
      name: 'URL',
      message: 'Address of the relay',
      default: 'http://127.0.0.1:8080',
    })
    const rules = parseSections(flags.only)
    const target = createVerifyTarget(address, flags, this.io.env)
    const warning = describePlainHttp(target.url)
    if (warning !== undefined) this.printNote(warning)
    const relay = await openRelayUnderTest(target, this.signal)
    const { results, left } = await this.#check(relay, rules)
    if (flags.junit !== undefined) await writeReport(flags.junit, target.url, results)
    const counts = countResults(results)
    this.print({ url: target.url, ...counts, rules: results, left }, () =>
      formatVerifyCounts(counts),
    )
    if (counts.failed > 0) this.setExitCode(exitCodes.failed)
  }

  /** Checks the rules, and removes what they created, also after an error or Ctrl-C. */
  async #check(relay: RelayUnderTest, rules: readonly Rule[]) {
    const results: RuleResult[] = []
    let left: string[] = []
    try {
      for await (const result of runRules(relay, rules)) {
        results.push(result)
        if (!this.json) this.print(result, formatRuleResult)
      }
    } finally {
      left = await relay.close(AbortSignal.timeout(closeTime))
      for (const name of left) this.printNote(`Not removed: ${name}.`)
    }
    return { results, left }
  }
}

async function writeReport(
  file: string,
  url: string,
  results: readonly RuleResult[],
): Promise<void> {
  try {
    await writeFile(file, formatJunitReport(url, results))
  } catch (cause) {
    const message = `The file ${file} cannot be written (${getFailureReason(cause)}).`
    throw new RelayError('usage', message, { cause })
  }
}
