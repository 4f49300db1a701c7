import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import {
  parseExpiry,
  parseUrlTemplate,
  parseUseRateFlag,
} from '../../src/cli/message/secret-url-flags.js'
import { formatNewSecretUrl } from '../../src/cli/message/secret-url-views.js'

export default class UrlCreate extends ApiCommand {
  static override summary = 'Make a secret URL: whoever knows it may send what it allows.'
  static override description =
    'GET or POST of the URL sends a text, with no key or token. It is shown this once and kept only as a hash. ' +
    'Pin what need not be left open. Programs that show previews of links follow them: use --confirm for a URL ' +
    'that people pass on.'
  static override examples = [
    '<%= config.bin %> url create --name backups --to +12025550123 --text "Backup of {host}: {result}" --rate 10/h',
    '<%= config.bin %> url create --to +12025550123 --to +12025550124 --expires 30d',
    '<%= config.bin %> url create --confirm --json',
  ]
  static override flags = {
    name: string({ description: 'What you call it.', helpValue: 'NAME' }),
    to: string({
      description: 'The recipient of every use; again for another. [default: the request says]',
      helpValue: 'NUMBER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    text: string({
      description:
        'The text of every use; {message} and {any.name} stand for fields of the request, {{ and }} for braces. ' +
        '[default: the request says]',
      helpValue: 'TEXT',
    }),
    rate: string({ description: 'How often it may be used, such as 10/h.', helpValue: 'RATE' }),
    expires: string({
      description:
        'When it ends: 30d, UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone. [default: never]',
      helpValue: 'TIME',
    }),
    confirm: boolean({ description: 'GET shows a page that asks; only POST sends.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(UrlCreate)
    const { name, to, confirm } = flags
    const text = flags.text === undefined ? undefined : parseUrlTemplate('--text', flags.text)
    const draft = {
      ...{ name, destination: to, message: text, confirm },
      ...(flags.rate === undefined ? {} : { rate: parseUseRateFlag('--rate', flags.rate) }),
      ...(flags.expires === undefined ? {} : parseExpiry('--expires', flags.expires)),
    }
    const client = await this.createClient(flags)
    this.print(await client.secretUrls.create(draft, this.callOptions), formatNewSecretUrl)
    this.printNote('The URL is shown this once: keep it as you keep a key.')
  }
}
