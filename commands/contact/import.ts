import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { importFlags } from '../../src/cli/command/import-flags.js'
import type { ContactImportResult } from '../../src/cli/contact/contact-file.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseEncoding } from '../../src/cli/terminal/parse-values.js'
import { openRereadable } from '../../src/cli/terminal/rereadable-file.js'

export default class ContactImport extends ApiCommand {
  static override summary = 'Add and change the contacts of a CSV file.'
  static override description =
    'The first line names the columns: number (or phone), name, groups (separated by semicolons) ' +
    'and any others, which become fields. A contact that exists gets the name and the fields ' +
    'that are not empty, and the groups in addition to its own. If a line is invalid, nothing ' +
    'is imported and the exit code is 1.'
  static override examples = [
    {
      description: 'Check a file.',
      command: '<%= config.bin %> contact import contacts.csv --dry-run',
    },
    {
      description: 'Copy all contacts to another account.',
      command:
        '<%= config.bin %> contact export | <%= config.bin %> contact import - --profile other',
    },
  ]
  static override args = { file: defineRequiredArgument('CSV file; - reads a pipe.') }
  static override flags = importFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContactImport)
    const file = await this.requireValue(args.file, { name: 'FILE', message: 'CSV file' })
    const { importContactFile } = await import('../../src/cli/contact/contact-file.js')
    const { 'dry-run': dryRun, 'skip-invalid': skipInvalid } = flags
    const encoding = flags.encoding === undefined ? undefined : parseEncoding(flags.encoding)
    const { signal } = this
    const { contacts } = await this.createClient(flags)
    const { open, close } = await openRereadable(file, this.io.stdin, signal)
    const request = { contacts, open, encoding, dryRun, skipInvalid, signal }
    const result = await importContactFile(request).finally(close)
    for (const { line, problem } of result.invalid) this.printNote(`Line ${line}: ${problem}`)
    this.print(result, each => formatResult(each, dryRun))
    if (result.invalid.length > 0 && !skipInvalid) this.setExitCode(exitCodes.failed)
  }
}

function formatResult(result: ContactImportResult, dryRun: boolean): string {
  const { imported, added, changed, unchanged, invalid } = result
  if (!imported && !dryRun)
    return 'Nothing was imported. Fix these lines, or skip them with --skip-invalid.'
  const skipped = invalid.length === 0 ? '' : `, ${invalid.length} invalid`
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged${skipped}.`
  return imported ? counts : `An import would give: ${counts}`
}
