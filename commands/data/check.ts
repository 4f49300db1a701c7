import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { checkDirectory, type DataReport } from '../../src/server/data-directory.js'

export default class DataCheck extends AdminCommand {
  static override summary = 'Check a data directory, also while the relay runs.'
  static override description =
    'Reads every line of every file and changes nothing. Exits with 1 if there is damage.'
  static override examples = [
    {
      description: 'Check a data directory.',
      command: '<%= config.bin %> data check --data /var/lib/smsrelay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataCheck)
    const report = await checkDirectory(this.getDataDir(flags))
    this.print(report, formatDataReport)
    if (report.damages.some(each => each.kind === 'damaged')) this.setExitCode(exitCodes.failed)
  }
}

function formatDataReport({ files, damages, records }: DataReport): string {
  const counted = Object.entries(records).map(([kind, count]) => `${count} ${kind}`)
  return [
    ...files.map(({ file, lines }) => `${file}: ${lines} lines`),
    `Records: ${counted.join(', ')}`,
    ...damages.map(formatDamage),
    damages.some(each => each.kind === 'damaged')
      ? 'Damaged. `smsrelay data repair` saves the intact records; a backup may have more.'
      : 'No damage.',
  ].join('\n')
}

function formatDamage({ file, line, kind, bytes }: DataReport['damages'][number]): string {
  return kind === 'torn'
    ? `${file}: line ${line} (${bytes} bytes) is a torn write; no reply depended on it.`
    : `${file}: line ${line} (${bytes} bytes) is damaged.`
}
