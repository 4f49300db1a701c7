import { readFile } from 'node:fs/promises'
import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { parseSavedWebhooks } from '../../src/cli/hook/saved-webhook.js'
import { formatVerification, verifyWebhook } from '../../src/cli/hook/verify-webhook.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseDuration } from '../../src/cli/terminal/parse-values.js'
import { readBytes } from '../../src/cli/terminal/stdin.js'
import { RelayError } from '../../src/errors.js'

export default class HookVerify extends ApiCommand {
  static override summary = 'Check the signature of a saved hit, and say what is wrong with it.'
  static override description =
    'Takes a raw HTTP request as it was received (request line, headers, blank line, body), or lines of JSON as ' +
    '`hook listen --json` prints them. Ends with 0 when every hit was signed with the secret, else with 1. The secret ' +
    'is --secret, else SMSRELAY_HOOK_SECRET, else the relay is asked for the present one.'
  static override examples = [
    '<%= config.bin %> hook verify hit.txt',
    '<%= config.bin %> hook listen --count 1 --json | <%= config.bin %> hook verify',
    '<%= config.bin %> hook verify old-hit.txt --tolerance 0 --json',
  ]
  static override args = {
    file: defineRequiredArgument('File with the hit; `-` or a pipe: stdin.'),
  }
  static override flags = {
    secret: string({
      description:
        'Secret that signs, as `hook secret` prints it; better in the environment. [default: that of the account]',
      env: 'SMSRELAY_HOOK_SECRET',
      helpValue: 'SECRET',
    }),
    tolerance: string({
      description: 'How old the hit may be, or how far ahead; 0: any age.',
      helpValue: 'TIME',
      default: '5m',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookVerify)
    const tolerance = parseDuration('--tolerance', flags.tolerance)
    const hits = parseSavedWebhooks(await this.#read(args.file))
    const secret =
      flags.secret ??
      (await (await this.createClient(flags)).subscriptions.getSigningSecret(this.callOptions))
    const checks = hits.map(hit => verifyWebhook(hit, { secret, tolerance, now: Date.now() }))
    for (const check of checks) this.printLine(check, formatVerification)
    if (checks.some(check => !check.valid)) this.setExitCode(exitCodes.failed)
  }

  async #read(file: string | undefined): Promise<Buffer> {
    const { stdin } = this.io
    const piped = file === '-' || (file === undefined && stdin.isTTY !== true)
    if (piped) return await readBytes(stdin)
    const path = await this.requireValue(file, { name: 'FILE', message: 'File with the hit' })
    try {
      return await readFile(path)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      throw new RelayError('usage', `${path} cannot be read (${code}).`, { cause })
    }
  }
}
