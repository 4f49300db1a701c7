import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class MailboxDelete extends ApiCommand {
  static override summary = 'Remove an e-mail address: mail to it is refused from now on.'
  static override examples = ['<%= config.bin %> mailbox delete ID']
  static override args = {
    id: defineRequiredArgument('Identifier of the address; see `mailbox list`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MailboxDelete)
    const id = await this.requireValue(args.id, {
      name: 'ID',
      message: 'Identifier of the address',
    })
    const client = await this.createClient(flags)
    await client.mailboxes.delete(id, this.callOptions)
    this.print({ id }, () => `Removed ${id}.`)
  }
}
