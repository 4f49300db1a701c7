import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class PersonResetSecondFactor extends AdminCommand {
  static override summary = 'Turn off the second factor of somebody who has lost it.'
  static override description =
    'Then the password alone signs in again. Signs the person out everywhere. ' +
    'Make sure that it is the person who asks.'
  static override examples = [
    {
      description: 'Let somebody sign in without the lost phone.',
      command: '<%= config.bin %> person reset-second-factor ann@example.com',
    },
  ]
  static override args = {
    email: defineRequiredArgument('E-mail address with which the person signs in.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PersonResetSecondFactor)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const result = await this.withAdministration(openAdministration, flags, admin =>
      admin.resetSecondFactor(email),
    )
    this.print(result, each => `${each.email} signs in with the password alone.`)
  }
}
