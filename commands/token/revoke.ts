import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { parseTimeout, resolveUrl } from '../../src/cli/profile/connection.js'
import { readPiped } from '../../src/cli/terminal/stdin.js'
import { RelayClient } from '../../src/client/relay-client.js'

export default class TokenRevoke extends ApiCommand {
  static override summary = 'Revoke an access token.'
  static override description = 'Pipe the token if other users can list your processes.'
  static override examples = [
    {
      description: 'Revoke a token from a pipe.',
      command: 'echo "$TOKEN" | <%= config.bin %> token revoke',
    },
  ]
  static override args = {
    token: defineOptionalArgument('Token; - or no argument reads a pipe.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenRevoke)
    const url = await resolveUrl(flags, this.io.env)
    this.warnOfPlainHttp(url)
    const piped = (await readPiped(args.token, this.io))?.trim()
    const token = await this.requireValue(piped, { name: 'TOKEN', message: 'Token', secret: true })
    const client = new RelayClient({ url, credentials: { token }, ...parseTimeout(flags) })
    await client.revokeToken(token, this.callOptions)
    this.print({ revoked: true }, () => 'Revoked the token.')
  }
}
