import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatMailboxTable } from '../../src/cli/message/mailbox-views.js'

export default class MailboxList extends ApiCommand {
  static override summary = 'List the mailboxes of the account.'
  static override examples = [
    { description: 'List mailboxes as JSON.', command: '<%= config.bin %> mailbox list --json' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(MailboxList)
    const client = await this.createClient(flags)
    const mailboxes = await client.mailboxes.list(this.callOptions)
    this.printList(mailboxes, formatMailboxTable, 'There are no mailboxes.')
  }
}
