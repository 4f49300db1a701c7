import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { formatCounts } from '../../src/cli/admin/data-views.js'
import { type RepairReport, repairDirectory } from '../../src/server/data-directory.js'

export default class DataRepair extends AdminCommand {
  static override summary = 'Save the intact records of a damaged data directory.'
  static override description =
    'Stop the relay first. If there is damage, writes the records of all intact lines to new ' +
    'files and moves the old files to a subdirectory. Changes in damaged lines and missing files ' +
    'are lost.'
  static override examples = [
    {
      description: 'Repair a data directory.',
      command: '<%= config.bin %> data repair --data /var/lib/smsrelay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataRepair)
    const directory = await this.requireDataDir(flags)
    const { movedTo, ...report } = await repairDirectory(directory)
    this.print({ moved_to: movedTo ?? null, ...report }, each => formatRepair(each, directory))
  }
}

interface Repair extends Omit<RepairReport, 'movedTo'> {
  readonly moved_to: string | null
}

function formatRepair({ moved_to, damages, records }: Repair, directory: string): string {
  const messages = damages.map(each => each.message)
  if (moved_to === null) {
    return [...messages, 'Nothing prevents a start, so nothing was changed.'].join('\n')
  }
  return [
    ...messages,
    `Saved: ${formatCounts(records)}`,
    `The old files are in ${moved_to}; keep them until you know what is missing.`,
    'Lost changes leave records as they were before: a message whose report is lost is sent again.',
    `Look at the records first: \`smsrelay data export --data ${directory}\`.`,
    `Then start the relay: \`smsrelay serve --data ${directory}\`.`,
  ].join('\n')
}
