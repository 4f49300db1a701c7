import { ApiCommand } from '../src/cli/command/api-command.js'
import { identify } from '../src/cli/profile/check-login.js'
import { formatFields } from '../src/cli/terminal/terminal-text.js'

export default class Whoami extends ApiCommand {
  static override summary = 'Show the relay and the account in use.'
  static override examples = [
    { description: 'Show the account as JSON.', command: '<%= config.bin %> whoami --json' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami)
    const session = await this.openSession(flags)
    const { client, connection } = session
    const { origin } = connection
    const { email, scope } = await identify(session, this.signal)
    const result = {
      email: email ?? null,
      url: client.url,
      scope: scope ?? null,
      profile: origin.profile ?? null,
    }
    const shown = {
      email: email ?? '(hidden from an application key)',
      url: client.url,
      ...(scope === undefined ? {} : { scope }),
      ...(origin.profile === undefined ? {} : { profile: origin.profile }),
    }
    this.print(result, () => formatFields(shown))
  }
}
