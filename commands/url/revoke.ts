import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class UrlRevoke extends ApiCommand {
  static override summary = 'Revoke a secret URL at once and permanently.'
  static override examples = [
    { description: 'Revoke a secret URL.', command: '<%= config.bin %> url revoke ID' },
  ]
  static override args = {
    id: defineRequiredArgument('Identifier of the secret URL; see `url list`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UrlRevoke)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Secret URL identifier' })
    const client = await this.createClient(flags)
    await client.secretUrls.delete(id, this.callOptions)
    this.print({ id }, () => `Revoked ${id}.`)
  }
}
