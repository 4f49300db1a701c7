import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { importFlags } from '../../src/cli/command/import-flags.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'
import type { ImportResult } from '../../src/cli/do-not-text/do-not-text-import.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseEncoding } from '../../src/cli/terminal/parse-values.js'
import { openRereadable } from '../../src/cli/terminal/rereadable-file.js'

export default class DoNotTextImport extends DoNotTextCommand {
  static override summary = 'Add the numbers of a CSV file to a Do Not Text list.'
  static override description =
    'The columns are number (or phone), note, added_on (UTC YYYY-MM-DD HH:MM:SS) and reason ' +
    '(person, api, stop or import), in this order or as a header names them; only number is ' +
    'required. If a line is invalid, nothing is imported and the exit code is 1. ' +
    'Numbers that are already on the list do not change.'
  static override examples = [
    {
      description: 'Check a file.',
      command: '<%= config.bin %> do-not-text import do-not-text.csv --dry-run',
    },
    {
      description: 'Copy a list to another account.',
      command:
        '<%= config.bin %> do-not-text export | ' +
        '<%= config.bin %> do-not-text import - --profile other',
    },
  ]
  static override args = { file: defineRequiredArgument('CSV file; - reads a pipe.') }
  static override flags = importFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DoNotTextImport)
    const file = await this.requireValue(args.file, { name: 'FILE', message: 'CSV file' })
    const { importDoNotText, readDoNotTextCsv } = await import(
      '../../src/cli/do-not-text/do-not-text-import.js'
    )
    const { 'dry-run': dryRun, 'skip-invalid': skipInvalid } = flags
    const encoding = flags.encoding === undefined ? undefined : parseEncoding(flags.encoding)
    const { signal } = this
    const source = await openRereadable(file, this.io.stdin, signal)
    const rows = () => readDoNotTextCsv(source.open(), encoding)
    const result = await this.withList(
      flags,
      () => import('../../src/server/open-relay.js'),
      list => importDoNotText({ list, rows, dryRun, skipInvalid, signal }),
    ).finally(source.close)
    for (const { line, problem } of result.invalid) this.printNote(`Line ${line}: ${problem}`)
    this.print(result, each => formatResult(each, dryRun))
    if (result.invalid.length > 0 && !skipInvalid) this.setExitCode(exitCodes.failed)
  }
}

function formatResult(result: ImportResult, dryRun: boolean): string {
  const { imported, added, listed, invalid } = result
  if (!imported && !dryRun) {
    return 'Nothing was imported. Fix these lines, or skip them with --skip-invalid.'
  }
  const present = listed === 0 ? '' : `, ${listed} already on the list or repeated`
  const skipped = invalid.length === 0 ? '' : `, ${invalid.length} invalid`
  return `${imported ? 'Added' : 'Would add'} ${added}${present}${skipped}.`
}
