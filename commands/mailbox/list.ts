import { ApiCommand } from '../../src/cli/command/api-command.js'
import { mailboxTable } from '../../src/cli/message/mailbox-views.js'

export default class MailboxList extends ApiCommand {
  static override summary = 'List the e-mail addresses of the account.'
  static override examples = [
    '<%= config.bin %> mailbox list',
    '<%= config.bin %> mailbox list --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(MailboxList)
    const client = await this.client(flags)
    const found = await client.listMailboxes(this.call)
    this.line(found, () => (found.length === 0 ? undefined : mailboxTable(found)))
    if (found.length === 0) this.note('There are no e-mail addresses.')
  }
}
