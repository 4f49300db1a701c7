import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { parseTimeout, resolveUrl } from '../../src/cli/profile/connection.js'
import { openClient } from '../../src/cli/profile/open-client.js'
import { readPassword } from '../../src/cli/terminal/read-password.js'

export default class TokenIssue extends ApiCommand {
  static override summary = 'Issue an access token and print it.'
  static override description =
    'The token comes from the API key, with --app from the application key (what a phone uses), ' +
    'with --login from e-mail and password (asked for, piped, or in SMSRELAY_PASSWORD).'
  static override examples = [
    'curl -H "Authorization: Bearer $(<%= config.bin %> token issue)" http://127.0.0.1:8080/api/1/user',
    '<%= config.bin %> token issue --app --json',
  ]
  static override flags = {
    app: boolean({ description: 'From the application key.' }),
    login: string({
      description: 'From this e-mail address and its password.',
      helpValue: 'EMAIL',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(TokenIssue)
    const client =
      flags.login === undefined
        ? await this.createClient(flags, flags.app ? ['app'] : ['api', 'app'])
        : await this.#loginClient(flags.login, flags)
    const token = await client.issueToken(this.callOptions)
    this.print(token, () => token.access_token)
    this.printNote(`It ends ${token.expires_in} s after its last use. Scope: ${token.scope}`)
  }

  async #loginClient(user: string, flags: Parameters<typeof resolveUrl>[0]) {
    const url = await resolveUrl(flags, this.io.env)
    const password = await readPassword(this.io, this.json)
    const timeout = flags.timeout === undefined ? {} : { timeout: parseTimeout(flags.timeout) }
    return await openClient({ url, credentials: { user, password }, ...timeout })
  }
}
