import type { Command } from '@oclif/core/command'
import { CommandHelp, Help } from '@oclif/core/help'

export class ProgramHelp extends Help {
  protected override CommandHelpClass = ProgramCommandHelp
}

class ProgramCommandHelp extends CommandHelp {
  constructor(...[command, ...rest]: ConstructorParameters<typeof CommandHelp>) {
    const { flags } = command
    const own = Object.entries(flags).map(([name, flag]) => [name, pickExclusive(flag, flags)])
    super({ ...command, flags: Object.fromEntries(own) }, ...rest)
  }

  protected override flags(flags: Command.Flag.Any[]) {
    return super.flags(flags.map(moveDefaultLast))
  }

  protected override sections() {
    const text = `See \`${this.config.bin} help environment\` for variables that set flags.`
    const hasVariable = Object.values(this.command.flags ?? {}).some(each => each.env !== undefined)
    const environment = { header: 'ENVIRONMENT', generate: () => text }
    return [...super.sections(), ...(hasVariable ? [environment] : [])]
  }
}

/** Names only flags of the command as alternatives: --json excludes -o, which few commands have. */
function pickExclusive(
  flag: Command.Flag.Any,
  flags: Readonly<Record<string, Command.Flag.Any>>,
): Command.Flag.Any {
  const exclusive = flag.exclusive?.filter(other => Object.hasOwn(flags, other)) ?? []
  const { exclusive: _, ...rest } = flag
  return (exclusive.length === 0 ? rest : { ...rest, exclusive }) as Command.Flag.Any
}

function moveDefaultLast(flag: Command.Flag.Any): Command.Flag.Any {
  const { default: value, env: _, ...rest } = flag as Command.Flag.Any & { default?: unknown }
  const { description = '' } = flag
  const hasDefault = flag.type === 'option' && value !== undefined
  const text = hasDefault ? `${description} [default: ${String(value)}]` : description
  return { ...rest, description: text } as Command.Flag.Any
}
