import { defineRequiredArgument } from '../src/cli/command/arguments.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { formatBashScript } from '../src/cli/completion/bash-script.js'
import { createCompletionTable } from '../src/cli/completion/completion-table.js'
import { formatFishScript } from '../src/cli/completion/fish-script.js'
import { formatPowershellScript } from '../src/cli/completion/powershell-script.js'
import { formatZshScript } from '../src/cli/completion/zsh-script.js'
import { readCommandLine } from '../src/cli/reference/command-manifest.js'
import { RelayError } from '../src/errors.js'

const formats = {
  bash: formatBashScript,
  zsh: formatZshScript,
  fish: formatFishScript,
  powershell: formatPowershellScript,
}
const shells = Object.keys(formats) as (keyof typeof formats)[]

const description = `Write the script of your shell into the file that it reads:

bash        ~/.local/share/bash-completion/completions/smsrelay
zsh         the file _smsrelay in a directory of $fpath
fish        ~/.config/fish/completions/smsrelay.fish
powershell  the end of the file $PROFILE

Then open a new shell. Names of profiles and setups and ids of messages and subscriptions come \
from this program; the relay gets 150 ms to answer. Install the script again after an update.`

export default class Completion extends BaseCommand {
  static override summary = 'Print a script that completes commands with the Tab key.'
  static override description = description
  static override examples = [
    {
      description: 'Complete in this bash only.',
      command: 'eval "$(<%= config.bin %> completion bash)"',
    },
    {
      description: 'Install it for zsh, in a directory of $fpath.',
      command: '<%= config.bin %> completion zsh > ~/.zfunc/_smsrelay',
    },
    {
      description: 'Install it for fish.',
      command: '<%= config.bin %> completion fish > ~/.config/fish/completions/smsrelay.fish',
    },
  ]
  static override args = {
    shell: { ...defineRequiredArgument('Shell to print the script for.'), options: shells },
  }

  async run(): Promise<void> {
    const { args } = await this.parse(Completion)
    const shell = shells.find(name => name === args.shell)
    if (shell === undefined) {
      throw new RelayError('usage', 'The shell is missing.', {
        hint: `Add one of: ${shells.join(', ')}.`,
      })
    }
    const script = formats[shell](
      createCompletionTable(await readCommandLine(this.config.options.root)),
    )
    this.print({ shell, script }, () => script.trimEnd())
  }
}
