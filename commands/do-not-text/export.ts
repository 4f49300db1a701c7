import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextExport extends DoNotTextCommand {
  static override summary = 'Print a Do Not Text list as CSV.'
  static override description =
    'The columns are number, note, added_on, reason and by, in UTF-8 with a header (RFC 4180). ' +
    "A ' is put before a cell that a spreadsheet would run as a formula; import removes it. " +
    'With --json, each line is an entry as JSON.'
  static override examples = [
    {
      description: 'Save the list of the account.',
      command: '<%= config.bin %> do-not-text export > do-not-text.csv',
    },
    {
      description: 'Print the list of the whole relay.',
      command: '<%= config.bin %> do-not-text export --service --data /var/lib/smsrelay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DoNotTextExport)
    const entries = await this.withList(
      flags,
      () => import('../../src/server/open-relay.js'),
      list => list.list(this.callOptions),
    )
    if (this.json) {
      for (const entry of entries) this.printLine(entry, () => undefined)
      return
    }
    const { formatDoNotTextCsv } = await import('../../src/contract/do-not-text-csv.js')
    for (const line of formatDoNotTextCsv(entries)) await this.writeChunk(line)
  }
}
