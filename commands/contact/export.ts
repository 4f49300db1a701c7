import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'

export default class ContactExport extends ApiCommand {
  static override summary = 'Print the contacts of the account as CSV.'
  static override description =
    'The columns are number, name, groups and one for each field, in UTF-8 with a header ' +
    "(RFC 4180). A ' is put before a cell that a spreadsheet would run as a formula; import " +
    'removes it. With --json, each line is a contact as JSON.'
  static override examples = [
    {
      description: 'Save all contacts.',
      command: '<%= config.bin %> contact export > contacts.csv',
    },
  ]
  static override flags = {
    group: string({
      description: 'Only members of this group.',
      env: 'SMSRELAY_CONTACT_GROUP',
      helpValue: 'NAME',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ContactExport)
    const client = await this.createClient(flags)
    const { group } = flags
    const contacts = await client.contacts.list({ ...this.callOptions, group })
    if (this.json) {
      for (const contact of contacts) this.printLine(contact, () => undefined)
      return
    }
    const { formatContactCsv } = await import('../../src/contract/contact/contact-csv.js')
    for (const line of formatContactCsv(contacts)) await this.writeChunk(line)
  }
}
