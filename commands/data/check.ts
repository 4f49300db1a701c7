import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { formatCounts, hasDamage } from '../../src/cli/admin/data-views.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import type { DatabaseSettings } from '../../src/server/config/relay-config.js'
import type { DatabaseReport } from '../../src/server/data-database.js'
import { checkDirectory, type DataReport } from '../../src/server/data-directory.js'

export default class DataCheck extends AdminCommand {
  static override summary = 'Check a data directory or a database, also while the relay runs.'
  static override description =
    'Reads every line of every file, or every record of the database, and changes nothing. ' +
    'Exits with 1 if there is damage.'
  static override examples = [
    {
      description: 'Check a data directory.',
      command: '<%= config.bin %> data check --data /var/lib/smsrelay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataCheck)
    const { dataDir: directory = '', database } = await this.getLocation(flags)
    if (database !== undefined) {
      await this.#checkDatabase(database)
      return
    }
    const report = await this.withProgress('bytes', onProgress =>
      checkDirectory(directory, onProgress),
    )
    this.print(report, each => formatDataReport(each, directory))
    if (hasDamage(report.damages)) this.setExitCode(exitCodes.failed)
  }

  async #checkDatabase(database: DatabaseSettings): Promise<void> {
    // The modules of PostgreSQL take long to load.
    const { checkDatabase } = await import('../../src/server/data-database.js')
    const report = await this.withProgress('records', onProgress =>
      checkDatabase(database, onProgress),
    )
    this.print(report, formatDatabaseReport)
    if (report.problems.length > 0) this.setExitCode(exitCodes.failed)
  }
}

function formatDatabaseReport({ records, problems }: DatabaseReport): string {
  return [
    `Records: ${formatCounts(records)}`,
    ...problems,
    problems.length === 0 ? 'No damage.' : 'Restore a backup, or correct these records.',
  ].join('\n')
}

function formatDataReport({ files, damages, records }: DataReport, directory: string): string {
  return [
    ...files.map(({ file, lines }) => `${file}: ${lines} lines`),
    `Records: ${formatCounts(records)}`,
    ...damages.map(each => each.message),
    formatAdvice(damages, directory),
  ].join('\n')
}

function formatAdvice(damages: DataReport['damages'], directory: string): string {
  if (hasDamage(damages)) {
    return (
      'Stop the relay and copy the directory. Then replace it by a backup, or save the intact ' +
      `records with \`smsrelay data repair --data ${directory}\`.`
    )
  }
  if (damages.length === 0) return 'No damage.'
  return (
    'No other damage. A running relay may be writing the line: check again. Otherwise the relay ' +
    'removes it at its next start, keeps its bytes in a file, and says what it can mean.'
  )
}
