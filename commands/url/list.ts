import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatSecretUrlTable } from '../../src/cli/message/secret-url-views.js'

export default class UrlList extends ApiCommand {
  static override summary = 'List the secret URLs of the account and how they were used.'
  static override description = 'The URLs themselves are not shown: only hashes of them are kept.'
  static override examples = ['<%= config.bin %> url list', '<%= config.bin %> url list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(UrlList)
    const client = await this.createClient(flags)
    const found = await client.secretUrls.list(this.callOptions)
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.printLine(found, () =>
      found.length === 0 ? undefined : formatSecretUrlTable(found, columns),
    )
    if (found.length === 0) this.printNote('There are no secret URLs.')
  }
}
