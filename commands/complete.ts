import { ApiCommand } from '../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../src/cli/command/arguments.js'
import { listValues } from '../src/cli/completion/complete-values.js'
import { valueSources } from '../src/cli/completion/completion-table.js'
import { readSetups } from '../src/cli/phone/setup/saved-setup.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { listProfileNames } from '../src/cli/profile/profile.js'

/** How long the relay may take to answer, in milliseconds: a person waits for the Tab key. */
const patience = 150

export default class Complete extends ApiCommand {
  static override hidden = true
  static override summary = 'Print values for the scripts of smsrelay completion.'
  static override description = 'Prints nothing if the relay does not answer within 150 ms.'
  static override examples = [
    { description: 'Print the saved profiles.', command: '<%= config.bin %> complete profiles' },
  ]
  static override args = { source: defineRequiredArgument('Values to print.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Complete)
    const source = valueSources.find(name => name === args.source)
    if (source === undefined) return
    const configDir = getConfigDir(this.io.env)
    const values = await listValues(source, {
      listProfiles: () => listProfileNames(configDir),
      listSetups: () => readSetups(configDir),
      openClient: () => this.createClient(flags),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(patience)]),
    })
    for (const line of values) this.io.stdout.write(`${line}\n`)
  }

  /** An error in the middle of a typed line helps nobody. */
  protected override async catch(): Promise<void> {
    this.parsed = true
  }
}
