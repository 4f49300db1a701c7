import { ApiCommand } from '../src/cli/command/api-command.js'
import { identify } from '../src/cli/profile/check-login.js'
import { profileName } from '../src/cli/profile/connection.js'
import { fields } from '../src/cli/terminal/terminal-text.js'

export default class Whoami extends ApiCommand {
  static override summary = 'Show the relay and the account in use.'
  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const client = await this.client(flags)
    const { email, scope } = await identify(client, this.signal)
    const shown = { email: email ?? null, url: client.url, scope, profile: profileName(flags) }
    this.show(shown, who => fields({ ...who, email: email ?? '(not shown to an application key)' }))
  }
}
