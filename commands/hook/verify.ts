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
import { getFailureReason } from '../../src/util/files/file-error.js'

export default class HookVerify extends ApiCommand {
  static override summary = 'Check the signature of a saved webhook, and say what is wrong with it.'
  static override description =
    'The file holds a raw HTTP request (request line, headers, blank line, body), or the output ' +
    'of `hook listen --json`. Exits with 0 if every webhook is valid, otherwise with 1.'
  static override examples = [
    {
      description: 'Check a saved webhook.',
      command: '<%= config.bin %> hook verify webhook.txt',
    },
    {
      description: 'Check the next webhook of the account.',
      command: '<%= config.bin %> hook listen --count 1 --json | <%= config.bin %> hook verify',
    },
    {
      description: 'Check an old webhook.',
      command: '<%= config.bin %> hook verify old-webhook.txt --tolerance 0 --json',
    },
  ]
  static override args = { file: defineRequiredArgument('File with the webhook; "-": stdin.') }
  static override flags = {
    secret: string({
      description: 'Signing secret; set the variable to hide it from `ps`.',
      defaultHelp: async () => "the account's",
      env: 'SMSRELAY_HOOK_SECRET',
      helpValue: 'SECRET',
    }),
    tolerance: string({
      description: 'Largest difference between the time of the webhook and now; 0: any.',
      env: 'SMSRELAY_TOLERANCE',
      helpValue: 'TIME',
      default: '5m',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookVerify)
    const tolerance = parseDuration('--tolerance', flags.tolerance)
    const webhooks = parseSavedWebhooks(await this.#read(args.file))
    const secret = flags.secret ?? (await this.#getAccountSecret(flags))
    const now = this.io.clock.now()
    const checks = webhooks.map(each => verifyWebhook(each, { secret, tolerance, now }))
    for (const check of checks) this.printLine(check, formatVerification)
    if (checks.some(check => !check.valid)) this.setExitCode(exitCodes.failed)
  }

  async #getAccountSecret(flags: Parameters<ApiCommand['createClient']>[0]): Promise<string> {
    const client = await this.createClient(flags)
    return await client.subscriptions.getSigningSecret(this.callOptions)
  }

  async #read(file: string | undefined): Promise<Buffer> {
    const { stdin } = this.io
    const isPiped = file === '-' || (file === undefined && stdin.isTTY !== true)
    if (isPiped) return await readBytes(stdin)
    const path = await this.requireValue(file, { name: 'FILE', message: 'File with the webhook' })
    try {
      return await readFile(path)
    } catch (cause) {
      const message = `The file ${path} cannot be read (${getFailureReason(cause)}).`
      throw new RelayError('usage', message, { cause })
    }
  }
}
