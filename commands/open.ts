import { ApiCommand } from '../src/cli/command/api-command.js'
import { resolveUrl } from '../src/cli/profile/connection.js'
import { openInBrowser } from '../src/cli/terminal/browser.js'

export default class Open extends ApiCommand {
  static override summary = 'Open the dashboard of the relay in the browser.'
  static override description =
    'Prints the address, also where no browser can be started. ' +
    'Sign in with e-mail address and password.'
  static override examples = [
    { description: 'Open the dashboard.', command: '<%= config.bin %> open' },
    {
      description: 'Open the dashboard of another relay.',
      command: '<%= config.bin %> open --profile work',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Open)
    const url = `${await resolveUrl(flags, this.io.env)}/`
    const opened = await openInBrowser(url, this.io.env)
    this.print({ url, opened }, () => url)
    if (!opened) this.printNote('No browser can be started here. Open the address in one.')
  }
}
