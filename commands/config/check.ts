import { BaseCommand } from '../../src/cli/command/base-command.js'
import { findCertificateProblems, readSettings } from '../../src/cli/config/read-settings.js'
import { completeServeArguments, serveFlags } from '../../src/cli/config/serve-flags.js'
import { formatProblem } from '../../src/cli/config/settings-view.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'

export default class ConfigCheck extends BaseCommand {
  static override summary = 'Check the settings of `serve`: its file, flags and variables.'
  static override description =
    'Prints one line for each error, with file, line and key, and exits with 2. ' +
    'Starts nothing and changes nothing.'
  static override examples = [
    {
      description: 'Check a file before the relay reads it.',
      command: '<%= config.bin %> config check --config /etc/smsrelay.toml',
    },
  ]
  static override flags = serveFlags

  async run(): Promise<void> {
    const parsed = await this.parse(ConfigCheck, completeServeArguments(this.argv))
    const { config = null } = parsed.flags
    const settings = await readSettings(parsed, this.io)
    const problems = [...settings.problems, ...(await findCertificateProblems(settings))]
    const isValid = problems.length === 0
    this.print({ file: config, valid: isValid, problems }, () =>
      isValid
        ? `The settings${config === null ? '' : ` in ${config}`} are valid.`
        : problems.map(formatProblem).join('\n'),
    )
    if (!isValid) this.setExitCode(exitCodes.usage)
  }
}
