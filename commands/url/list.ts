import { ApiCommand } from '../../src/cli/command/api-command.js'
import { secretUrlColumns } from '../../src/cli/message/secret-url-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class UrlList extends ApiCommand {
  static override summary = 'List the secret URLs of the account and their use.'
  static override description = 'The URLs themselves are not shown; the relay stores only hashes.'
  static override examples = [
    { description: 'List secret URLs as JSON.', command: '<%= config.bin %> url list --json' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(UrlList)
    const printer = await this.openPrinter(flags, secretUrlColumns)
    const client = await this.createClient(flags)
    const urls = await client.secretUrls.list(this.callOptions)
    await printer.printList(urls, 'There are no secret URLs.')
  }
}
