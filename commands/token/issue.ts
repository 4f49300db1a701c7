import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { parseTimeout, resolveUrl } from '../../src/cli/profile/connection.js'
import { readPassword } from '../../src/cli/terminal/read-password.js'
import { RelayClient } from '../../src/client/relay-client.js'

export default class TokenIssue extends ApiCommand {
  static override summary = 'Issue an access token and print it.'
  static override description =
    'Uses the API key unless --app or --login is given. ' +
    '--login reads the password from SMSRELAY_PASSWORD, a prompt or a pipe.'
  static override examples = [
    {
      description: 'Use a token with curl.',
      command:
        'curl -H "Authorization: Bearer $(<%= config.bin %> token issue)" ' +
        'http://127.0.0.1:8080/api/1/user',
    },
    {
      description: 'Issue a token for a phone.',
      command: '<%= config.bin %> token issue --app --json',
    },
  ]
  static override flags = {
    app: boolean({ description: 'Use the application key.', env: 'SMSRELAY_APP' }),
    login: string({
      description: 'Use this e-mail address and its password.',
      env: 'SMSRELAY_LOGIN',
      helpValue: 'EMAIL',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(TokenIssue)
    const client =
      flags.login === undefined
        ? await this.createClient(flags, flags.app ? ['app'] : ['api', 'app'])
        : await this.#createLoginClient(flags.login, flags)
    const token = await client.issueToken(this.callOptions)
    this.print(token, () => token.access_token)
    this.printNote(`Expires ${token.expires_in} s after its last use. Scope: ${token.scope}`)
  }

  async #createLoginClient(user: string, flags: Parameters<typeof resolveUrl>[0]) {
    const url = await resolveUrl(flags, this.io.env)
    this.warnOfPlainHttp(url)
    const password = await readPassword(this.io, this.json)
    return new RelayClient({ url, credentials: { user, password }, ...parseTimeout(flags) })
  }
}
