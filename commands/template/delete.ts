import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class TemplateDelete extends ApiCommand {
  static override summary = 'Delete a template.'
  static override examples = [
    { description: 'Delete a template.', command: '<%= config.bin %> template delete ID' },
  ]
  static override args = {
    id: defineRequiredArgument('Identifier of the template; see `template list`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplateDelete)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Template identifier' })
    const client = await this.createClient(flags)
    await client.templates.delete(id, this.callOptions)
    this.print({ id }, () => `Deleted ${id}.`)
  }
}
