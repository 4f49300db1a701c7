import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class TemplateCreate extends ApiCommand {
  static override summary = 'Create a template: a text with fields of contacts.'
  static override description =
    '{name}, {number} or the name of a field stands for what a contact has; {name|customer} has ' +
    'a text for contacts without it.'
  static override examples = [
    {
      description: 'Create a template and send it to a group.',
      command:
        '<%= config.bin %> template create Late "Hi {name|there}, we are open late today." && ' +
        '<%= config.bin %> message send --group Customers --template Late',
    },
  ]
  static override args = {
    name: defineRequiredArgument('Name, unique in the account.'),
    text: defineRequiredArgument('Text with fields.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplateCreate)
    const name = await this.requireValue(args.name, { name: 'NAME', message: 'Name' })
    const text = await this.requireValue(args.text, { name: 'TEXT', message: 'Text' })
    const client = await this.createClient(flags)
    const template = await client.templates.create({ name, text }, this.callOptions)
    this.print(template, each => `Created ${each.name} (${each.id}).`)
  }
}
