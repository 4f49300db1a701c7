import type { Command } from '@oclif/core/command'
import { CommandHelp, Help } from '@oclif/core/help'

/** Help of oclif that prints default and environment variable after the description of a flag. */
export class ProgramHelp extends Help {
  protected override CommandHelpClass = DefaultsLastHelp
}

class DefaultsLastHelp extends CommandHelp {
  protected override flags(flags: Command.Flag.Any[]) {
    return super.flags(flags.map(moveDefaultLast))
  }
}

function moveDefaultLast(flag: Command.Flag.Any): Command.Flag.Any {
  const { env, description = '' } = flag
  const value = flag.type === 'option' ? flag.default : undefined
  const facts = [
    ...(value === undefined ? [] : [`default: ${String(value)}`]),
    ...(env === undefined ? [] : [`env: ${env}`]),
  ]
  const shown = facts.length === 0 ? description : `${description} [${facts.join(', ')}]`
  const { default: _default, env: _env, ...rest } = flag as Command.Flag.Any & { default?: unknown }
  return { ...rest, description: shown } as Command.Flag.Any
}
