import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class PersonSetRole extends AdminCommand {
  static override summary = 'Change what a person can do: reader, sender or admin.'
  static override description = 'The role takes effect with the next request of the person.'
  static override examples = [
    {
      description: 'Let somebody send messages.',
      command: '<%= config.bin %> person set-role bob@example.com sender',
    },
  ]
  static override args = {
    email: defineRequiredArgument('E-mail address of the person.'),
    role: defineRequiredArgument('The role: reader, sender or admin.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PersonSetRole)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const role = await this.requireValue(args.role, { name: 'ROLE', message: 'Role' })
    const person = await this.withAdministration(openAdministration, flags, admin =>
      admin.setRole(email, role),
    )
    this.print(person, each => `${each.email} has the role ${each.role} now.`)
  }
}
