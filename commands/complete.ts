import { ApiCommand } from '../src/cli/command/api-command.js'
import { completeLine } from '../src/cli/completion/complete-line.js'
import { listValues } from '../src/cli/completion/complete-values.js'
import { readSetups } from '../src/cli/phone/setup/saved-setup.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { listProfileNames } from '../src/cli/profile/profile.js'
import { readCommandLine } from '../src/cli/reference/command-manifest.js'
import { print } from '../src/cli/terminal/io.js'

/** How long the relay may take to answer, in milliseconds: a person waits for the Tab key. */
const patience = 150

export default class Complete extends ApiCommand {
  static override hidden = true
  static override strict = false
  static override summary = 'Print what may follow a line, for the scripts of completion.'
  static override description = 'Offers nothing of a relay that does not answer within 150 ms.'
  static override examples = [
    {
      description: 'Print the commands that begin with w.',
      command: '<%= config.bin %> complete -- w',
    },
  ]

  async run(): Promise<void> {
    const { argv } = await this.parse(Complete)
    const words = argv.map(word => (word === '""' ? '' : String(word)))
    const all = await readCommandLine(this.config.options.root)
    const { current, prefix, candidates, source, typed } = completeLine(words, all)
    const lines = candidates.map(({ word, description }) => `${word}\t${description}`)
    const isFile = source === 'files' || source === 'directories'
    if (isFile) print(this.io.stdout, ':files\n', this.io.env)
    else if (source !== undefined) lines.push(...(await this.#listValues(source, typed)))
    for (const line of lines.map(each => prefix + each)) {
      if (line.startsWith(current)) print(this.io.stdout, `${line}\n`, this.io.env)
    }
  }

  async #listValues(
    source: Parameters<typeof listValues>[0],
    typed: readonly string[],
  ): Promise<string[]> {
    const { flags } = await this.parse(Complete, [...typed])
    const configDir = getConfigDir(this.io.env)
    return await listValues(source, {
      listProfiles: () => listProfileNames(configDir),
      listSetups: () => readSetups(configDir),
      openClient: () => this.createClient(flags),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(patience)]),
    })
  }

  /** An error in the middle of a typed line helps nobody. */
  protected override async catch(): Promise<void> {
    this.parsed = true
  }
}
