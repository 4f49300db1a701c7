import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatMailboxTable } from '../../src/cli/message/mailbox-views.js'

export default class MailboxList extends ApiCommand {
  static override summary = 'List the e-mail addresses of the account.'
  static override examples = [
    '<%= config.bin %> mailbox list',
    '<%= config.bin %> mailbox list --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(MailboxList)
    const client = await this.createClient(flags)
    const found = await client.mailboxes.list(this.callOptions)
    this.printLine(found, () => (found.length === 0 ? undefined : formatMailboxTable(found)))
    if (found.length === 0) this.printNote('There are no e-mail addresses.')
  }
}
