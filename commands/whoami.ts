import { ApiCommand } from '../src/cli/command/api-command.js'
import type { Column } from '../src/cli/output/column.js'
import { outputFlags } from '../src/cli/output/output-flags.js'
import { identify } from '../src/cli/profile/check-login.js'

interface Identity {
  readonly email: string | null
  readonly url: string
  readonly scope: string | null
  readonly profile: string | null
}

const columns: readonly Column<Identity>[] = [
  {
    name: 'email',
    isId: true,
    empty: '(hidden from an application key)',
    read: each => each.email,
  },
  { name: 'url', read: each => each.url },
  { name: 'scope', read: each => each.scope },
  { name: 'profile', read: each => each.profile },
]

export default class Whoami extends ApiCommand {
  static override summary = 'Show the relay and the account in use.'
  static override examples = [
    { description: 'Show the account as JSON.', command: '<%= config.bin %> whoami --json' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const printer = await this.openPrinter(flags, columns)
    const session = await this.openSession(flags)
    const { client, connection } = session
    const { origin } = connection
    const { email, scope } = await identify(session, this.signal)
    await printer.printOne({
      email: email ?? null,
      url: client.url,
      scope: scope ?? null,
      profile: origin.profile ?? null,
    })
  }
}
