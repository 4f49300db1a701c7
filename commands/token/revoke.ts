import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { parseTimeout, resolveUrl } from '../../src/cli/profile/connection.js'
import { openClient } from '../../src/cli/profile/open-client.js'
import { readPiped } from '../../src/cli/terminal/stdin.js'

export default class TokenRevoke extends ApiCommand {
  static override summary = 'End an access token.'
  static override description = 'Pipe the token in where others can list your processes.'
  static override examples = [
    '<%= config.bin %> token revoke TOKEN',
    'echo "$TOKEN" | <%= config.bin %> token revoke',
  ]
  static override args = {
    token: defineOptionalArgument('The token; "-" or nothing reads it from a pipe.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenRevoke)
    const url = await resolveUrl(flags, this.io.env)
    const piped = (await readPiped(args.token, this.io.stdin))?.trim()
    const token = await this.requireValue(piped, { name: 'TOKEN', message: 'Token', secret: true })
    const timeout = flags.timeout === undefined ? {} : { timeout: parseTimeout(flags.timeout) }
    const client = await openClient({ url, credentials: { token }, ...timeout })
    await client.revokeToken(token, this.callOptions)
    this.print({ revoked: true }, () => 'The token has ended.')
  }
}
