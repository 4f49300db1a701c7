import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class PersonRemove extends AdminCommand {
  static override summary = 'Remove a person from an account.'
  static override description = "Ends the person's sessions and tokens. The account stays."
  static override examples = [
    {
      description: 'Remove somebody who left.',
      command: '<%= config.bin %> person remove bob@example.com',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the person.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PersonRemove)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const removed = await this.withAdministration(openAdministration, flags, admin =>
      admin.removePerson(email),
    )
    this.print(removed, each => `${each.email} is removed and signed out.`)
  }
}
