import { DatabaseCommand } from '../../src/cli/admin/database-command.js'
import { ProgressLine } from '../../src/cli/output/progress-line.js'
import {
  type DatabaseMigration,
  type MigrationProgress,
  migrateDatabase,
} from '../../src/server/database-tools.js'

export default class DatabaseMigrate extends DatabaseCommand {
  static override summary = 'Bring the tables of a database to this version.'
  static override description =
    'Creates the tables in an empty database. Nodes of this version and of the one before can ' +
    'run meanwhile. Shows each step, and how far the server is with its indexes. ' +
    '`serve` does the same at its start, unless it has --no-migrate.'
  static override examples = [
    {
      description: 'Migrate as a role that may create tables.',
      command:
        '<%= config.bin %> database migrate --database postgres://admin@db.example.com/relay',
    },
  ]

  /** The progress of one phase of one index, which has a speed of its own. */
  #line: ProgressLine | undefined
  #title = ''

  async run(): Promise<void> {
    const { flags } = await this.parse(DatabaseMigrate)
    const database = await this.requireDatabase(flags)
    const { clock } = this.io
    const onProgress = (progress: MigrationProgress) => this.#showProgress(progress)
    const options = { clock, random: Math.random, onProgress }
    const result = await migrateDatabase(database, options).finally(() => this.#line?.clear())
    this.print(result, formatMigration)
  }

  #showProgress({ version, summary, index }: MigrationProgress): void {
    const title = formatTitle(version, index)
    const isNew = title !== this.#title
    if (isNew) this.#line?.clear()
    this.#title = title
    if (index === undefined) {
      if (isNew) this.printNote(`${title}: ${summary}`)
    } else if (!this.json) {
      const { stderr, clock } = this.io
      const unit = index.phase === 'read' ? 'bytes' : 'rows'
      if (isNew) this.#line = new ProgressLine(stderr, clock.monotonic, unit, title)
      this.#line?.draw(index)
    }
  }
}

function formatTitle(version: number, index: MigrationProgress['index']): string {
  if (index === undefined) return `Step ${version}`
  return index.phase === 'read' ? `Read ${index.table}` : `Index ${index.table}`
}

function formatMigration({ database, before, version }: DatabaseMigration): string {
  if (before >= version) return `The database ${database} has schema version ${version} already.`
  return `The database ${database} has schema version ${version} now; it was ${before}.`
}
