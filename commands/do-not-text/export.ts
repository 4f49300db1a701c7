import { once } from 'node:events'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextExport extends DoNotTextCommand {
  static override summary = 'Print a Do Not Text list as CSV.'
  static override description =
    'UTF-8 with a header: number, note, added_on, reason, by (RFC 4180). A cell that a spreadsheet would take for a ' +
    "formula begins with a ', which `blocklist import` takes off again. With --json it is a line of JSON an entry."
  static override examples = [
    '<%= config.bin %> blocklist export > do-not-text.csv',
    '<%= config.bin %> blocklist export --service --data /var/lib/smsrelay',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DoNotTextExport)
    const entries = await this.withList(flags, openService, list =>
      list.listBlocked(this.callOptions),
    )
    if (this.json) {
      for (const entry of entries) this.printLine(entry, () => undefined)
      return
    }
    const { formatDoNotTextCsv: blocklistCsv } = await import(
      '../../src/cli/do-not-text/do-not-text-file.js'
    )
    for (const line of blocklistCsv(entries)) {
      this.signal.throwIfAborted()
      if (!this.io.stdout.write(line)) await once(this.io.stdout, 'drain', { signal: this.signal })
    }
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
