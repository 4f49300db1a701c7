import { boolean } from '@oclif/core/flags'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'
import type { ImportResult } from '../../src/cli/do-not-text/do-not-text-import.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { openRereadable } from '../../src/cli/terminal/rereadable-file.js'

export default class DoNotTextImport extends DoNotTextCommand {
  static override summary = 'Put the numbers of a CSV file on a Do Not Text list.'
  static override description =
    'FILE is CSV in UTF-8, or - for standard input. Its columns are number, note, added_on (UTC YYYY-MM-DD HH:MM:SS) ' +
    'and reason (person, api, stop or import); all but number may be missing, and a header may give them in another ' +
    'order, with others that are passed over. `blocklist export` writes such a file. The whole file is checked first: ' +
    'lines that are not valid are told with their number, nothing is imported, and it ends with 1. Numbers that are ' +
    'listed already stay as they are.'
  static override examples = [
    '<%= config.bin %> blocklist import do-not-text.csv --dry-run',
    '<%= config.bin %> blocklist import do-not-text.csv --skip-invalid',
    '<%= config.bin %> blocklist export | <%= config.bin %> blocklist import - --profile other',
  ]
  static override args = { file: defineRequiredArgument('The file, or - for standard input.') }
  static override flags = {
    'dry-run': boolean({ description: 'Check the file, and import nothing.' }),
    'skip-invalid': boolean({ description: 'Import the valid lines although others are not.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DoNotTextImport)
    const file = await this.requireValue(args.file, { name: 'FILE', message: 'CSV file' })
    const { readDoNotTextCsv: readBlocklistCsv } = await import(
      '../../src/cli/do-not-text/do-not-text-file.js'
    )
    const { importDoNotText: importBlocklist } = await import(
      '../../src/cli/do-not-text/do-not-text-import.js'
    )
    const open = await openRereadable(file, this.io.stdin)
    const how = { dryRun: flags['dry-run'], skipInvalid: flags['skip-invalid'] }
    const result = await this.withList(flags, openService, list =>
      importBlocklist({
        ...{ list, ...how, signal: this.signal },
        rows: () => readBlocklistCsv(open()),
      }),
    )
    this.#show(result, how.dryRun)
    if (result.invalid.length > 0 && !how.skipInvalid) this.setExitCode(exitCodes.failed)
  }

  #show(result: ImportResult, isTrial: boolean): void {
    const { imported, added, listed, invalid } = result
    for (const { line, problem } of invalid) this.printNote(`Line ${line}: ${problem}`)
    const before = listed === 0 ? '' : `; ${listed} were listed already or came twice`
    const bad = invalid.length === 0 ? '' : `; ${invalid.length} invalid`
    this.print(result, () => {
      if (imported) return `Listed ${added}${before}${bad}.`
      if (isTrial) return `Would list ${added}${before}${bad}.`
      return 'Nothing was imported; mend these lines, or leave them out with --skip-invalid.'
    })
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
