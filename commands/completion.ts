import { defineRequiredArgument } from '../src/cli/command/arguments.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { shellScripts } from '../src/cli/completion/shell-scripts.js'
import { RelayError } from '../src/errors.js'

const shells = Object.keys(shellScripts) as (keyof typeof shellScripts)[]

const description = `Write the script of your shell into the file that it reads:

bash        ~/.local/share/bash-completion/completions/smsrelay
zsh         the file _smsrelay in a directory of $fpath
fish        ~/.config/fish/completions/smsrelay.fish
powershell  the end of the file $PROFILE

Then open a new shell. The script asks this program for what may follow the line; the relay gets \
150 ms to answer for ids of messages and subscriptions.`

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
    const script = shellScripts[shell]
    this.print({ shell, script }, () => script)
  }
}
