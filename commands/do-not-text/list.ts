import { blocklistTable } from '../../src/cli/admin/account-views.js'
import { BlocklistCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class BlocklistList extends BlocklistCommand {
  static override summary = 'List the numbers of a Do Not Text list.'
  static override examples = [
    '<%= config.bin %> blocklist list',
    '<%= config.bin %> blocklist list --service --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(BlocklistList)
    const entries = await this.onList(flags, openService, list => list.listBlocked(this.call))
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.line(entries, () => (entries.length === 0 ? undefined : blocklistTable(entries, columns)))
    if (entries.length === 0) this.note('The list is empty.')
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
