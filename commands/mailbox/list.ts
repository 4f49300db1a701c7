import { ApiCommand } from '../../src/cli/command/api-command.js'
import { mailboxColumns } from '../../src/cli/message/mailbox-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class MailboxList extends ApiCommand {
  static override summary = 'List the mailboxes of the account.'
  static override examples = [
    { description: 'List mailboxes as JSON.', command: '<%= config.bin %> mailbox list --json' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(MailboxList)
    const printer = await this.openPrinter(flags, mailboxColumns)
    const client = await this.createClient(flags)
    const mailboxes = await client.mailboxes.list(this.callOptions)
    await printer.printList(mailboxes, 'There are no mailboxes.')
  }
}
