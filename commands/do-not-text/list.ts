import { formatDoNotTextTable } from '../../src/cli/admin/account-views.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextList extends DoNotTextCommand {
  static override summary = 'List the numbers of a Do Not Text list.'
  static override examples = [
    '<%= config.bin %> blocklist list',
    '<%= config.bin %> blocklist list --service --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DoNotTextList)
    const entries = await this.withList(flags, openService, list =>
      list.listBlocked(this.callOptions),
    )
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.printLine(entries, () =>
      entries.length === 0 ? undefined : formatDoNotTextTable(entries, columns),
    )
    if (entries.length === 0) this.printNote('The list is empty.')
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
