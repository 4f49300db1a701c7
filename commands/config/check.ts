import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { findCertificateProblems, readSettings } from '../../src/cli/config/read-settings.js'
import { completeServeArguments, serveFlags } from '../../src/cli/config/serve-flags.js'
import { formatProblem } from '../../src/cli/config/settings-view.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { RelayError } from '../../src/errors.js'

export default class ConfigCheck extends BaseCommand {
  static override summary = 'Check the settings of `serve`: its file, flags and variables.'
  static override description =
    'Prints one line for each error, with file, line and key, and exits with 2. ' +
    'Starts nothing and changes nothing.'
  static override examples = [
    {
      description: 'Check a file before the relay reads it.',
      command: '<%= config.bin %> config check /etc/smsrelay.toml',
    },
  ]
  static override args = { file: defineOptionalArgument('File to check, as --config.') }
  static override flags = serveFlags

  async run(): Promise<void> {
    const read = await this.parse(ConfigCheck, completeServeArguments(this.argv))
    const { file } = read.args
    if (
      file !== undefined &&
      read.raw.some(
        ({ type, ...rest }) => type === 'flag' && 'flag' in rest && rest.flag === 'config',
      )
    ) {
      throw new RelayError('usage', 'FILE and --config cannot be combined.', {
        hint: 'Leave one of them out.',
      })
    }
    const config = file ?? read.flags.config ?? null
    const parsed = { ...read, flags: { ...read.flags, ...(config === null ? {} : { config }) } }
    const settings = await readSettings(parsed, this.io)
    const problems = [...settings.problems, ...(await findCertificateProblems(settings))]
    const isValid = problems.length === 0
    this.print({ file: config, valid: isValid, problems }, () =>
      isValid
        ? config === null
          ? 'No configuration file was read; the flags, variables and defaults are valid.'
          : `The settings in ${config} are valid.`
        : problems.map(formatProblem).join('\n'),
    )
    if (!isValid) this.setExitCode(exitCodes.usage)
  }
}
