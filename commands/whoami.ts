import { ApiCommand } from '../src/cli/command/api-command.js'
import { identify } from '../src/cli/profile/check-login.js'
import { getProfileName } from '../src/cli/profile/connection.js'
import { formatFields } from '../src/cli/terminal/terminal-text.js'

export default class Whoami extends ApiCommand {
  static override summary = 'Show the relay and the account in use.'
  static override examples = [
    { description: 'Show the account as JSON.', command: '<%= config.bin %> whoami --json' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const client = await this.createClient(flags)
    const { email, scope } = await identify(client, this.signal)
    const result = { email: email ?? null, url: client.url, scope, profile: getProfileName(flags) }
    this.print(result, each =>
      formatFields({ ...each, email: email ?? '(hidden from an application key)' }),
    )
  }
}
