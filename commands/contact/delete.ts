import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class ContactDelete extends ApiCommand {
  static override summary = 'Delete a contact; its messages stay.'
  static override examples = [
    {
      description: 'Delete the contact of a number.',
      command: '<%= config.bin %> contact delete +12025550123',
    },
  ]
  static override args = { number: defineRequiredArgument('Phone number.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContactDelete)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const client = await this.createClient(flags)
    await client.contacts.delete(number, this.callOptions)
    this.print({ number }, () => `Deleted ${number}.`)
  }
}
