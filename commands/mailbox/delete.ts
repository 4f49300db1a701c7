import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class MailboxDelete extends ApiCommand {
  static override summary = 'Delete a mailbox; later mail to it is rejected.'
  static override examples = [
    { description: 'Delete a mailbox.', command: '<%= config.bin %> mailbox delete ID' },
  ]
  static override args = {
    id: defineRequiredArgument('Identifier of the mailbox; see `mailbox list`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MailboxDelete)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Mailbox identifier' })
    const client = await this.createClient(flags)
    await client.mailboxes.delete(id, this.callOptions)
    this.print({ id }, () => `Deleted ${id}.`)
  }
}
