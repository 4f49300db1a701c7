import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { parseMaxLength } from '../../src/cli/message/mailbox-views.js'
import {
  formatNewSecretUrl,
  parseExpiry,
  parseUrlTemplate,
  parseUseRateFlag,
} from '../../src/cli/message/secret-url-views.js'

export default class UrlCreate extends ApiCommand {
  static override summary = 'Create a secret URL, which sends messages without a key or token.'
  static override description =
    'GET or POST of the URL sends a message. The URL is shown only once, and stored as a hash. ' +
    'Link previews open URLs: use --confirm for one that people share.'
  static override examples = [
    {
      description: 'Create a URL for one recipient, with a template and a rate limit.',
      command:
        '<%= config.bin %> url create --to +12025550123 ' +
        '--text "Backup of {host}: {result}" --rate 10/h',
    },
    {
      description: 'Create a URL that asks for confirmation and ends after 30 days.',
      command: '<%= config.bin %> url create --confirm --expires 30d',
    },
  ]
  static override flags = {
    name: string({
      description: 'Name of the URL, for lists.',
      env: 'SMSRELAY_URL_NAME',
      helpValue: 'NAME',
    }),
    to: string({
      description: 'Recipient of every message; can be repeated.',
      env: 'SMSRELAY_URL_TO',
      defaultHelp: async () => 'from the request',
      helpValue: 'NUMBER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    text: string({
      description: 'Text of every message; {name} or {a|b|"text"} is a field.',
      env: 'SMSRELAY_URL_TEXT',
      defaultHelp: async () => 'from the request',
      helpValue: 'TEXT',
    }),
    'max-length': string({
      description: 'Maximum characters; longer texts are truncated.',
      env: 'SMSRELAY_URL_MAX_LENGTH',
      defaultHelp: async () => '1600',
      helpValue: 'COUNT',
    }),
    rate: string({
      description: 'Maximum uses per s, min, h or d, such as 10/h.',
      env: 'SMSRELAY_URL_RATE',
      defaultHelp: async () => 'no limit',
      helpValue: 'RATE',
    }),
    expires: string({
      description: 'When the URL expires: 30d, "YYYY-MM-DD HH:MM:SS" UTC, ISO 8601.',
      env: 'SMSRELAY_EXPIRES',
      defaultHelp: async () => 'never',
      helpValue: 'TIME',
    }),
    confirm: boolean({
      description: 'GET shows a page to confirm; only POST sends.',
      env: 'SMSRELAY_CONFIRM',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(UrlCreate)
    const { name, to: destination, confirm, 'max-length': length } = flags
    const message = flags.text === undefined ? undefined : parseUrlTemplate('--text', flags.text)
    const draft = {
      name,
      destination,
      message,
      confirm,
      ...(length === undefined ? {} : { max_length: parseMaxLength(length) }),
      ...(flags.rate === undefined ? {} : { rate: parseUseRateFlag('--rate', flags.rate) }),
      ...(flags.expires === undefined ? {} : parseExpiry('--expires', flags.expires)),
    }
    const client = await this.createClient(flags)
    this.print(await client.secretUrls.create(draft, this.callOptions), formatNewSecretUrl)
    this.printNote('The URL is shown only once. Protect it like a key.')
  }
}
