import { ApiCommand } from '../../src/cli/command/api-command.js'
import { templateColumns } from '../../src/cli/contact/contact-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class TemplateList extends ApiCommand {
  static override summary = 'List the templates of the account.'
  static override examples = [
    { description: 'List templates as JSON.', command: '<%= config.bin %> template list --json' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(TemplateList)
    const printer = await this.openPrinter(flags, templateColumns)
    const client = await this.createClient(flags)
    const templates = await client.templates.list(this.callOptions)
    await printer.printList(templates, 'There are no templates.')
  }
}
