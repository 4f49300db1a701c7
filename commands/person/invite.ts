import { string } from '@oclif/core/flags'
import { formatInvitation } from '../../src/cli/account/person-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { roles } from '../../src/domain/account/person.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class PersonInvite extends AdminCommand {
  static override summary = 'Invite somebody into an account.'
  static override description =
    'Prints a link that works once, for seven days. Give it to the person, who chooses a ' +
    'password there. A relay that can send mail also sends it.'
  static override examples = [
    {
      description: 'Invite somebody who only reads.',
      command: '<%= config.bin %> person invite bob@example.com --account ann@example.com',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the person.') }
  static override flags = {
    account: string({
      description: 'E-mail address of the account.',
      env: 'SMSRELAY_ACCOUNT',
      helpValue: 'EMAIL',
      required: true,
    }),
    role: string({
      description: 'What the person can do.',
      env: 'SMSRELAY_ROLE',
      options: roles,
      default: 'reader',
    }),
    url: string({
      description: 'Address of the dashboard, for the link.',
      defaultHelp: async () => 'that of the relay',
      env: 'SMSRELAY_URL',
      helpValue: 'URL',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PersonInvite)
    const { account, role, url } = flags
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const draft = { account, email, role, ...(url === undefined ? {} : { url }) }
    const invitation = await this.withAdministration(openAdministration, flags, admin =>
      admin.invitePerson(draft),
    )
    this.print(invitation, formatInvitation)
  }
}
