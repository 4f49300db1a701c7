import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatSecretUrlTable } from '../../src/cli/message/secret-url-views.js'

export default class UrlList extends ApiCommand {
  static override summary = 'List the secret URLs of the account and their use.'
  static override description = 'The URLs themselves are not shown; the relay stores only hashes.'
  static override examples = [
    { description: 'List secret URLs as JSON.', command: '<%= config.bin %> url list --json' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(UrlList)
    const client = await this.createClient(flags)
    const urls = await client.secretUrls.list(this.callOptions)
    this.printList(urls, formatSecretUrlTable, 'There are no secret URLs.')
  }
}
