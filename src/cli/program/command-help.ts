import type { Command } from '@oclif/core/command'
import { CommandHelp, Help } from '@oclif/core/help'

/** Help of oclif that prints defaults last, and environment variables only in their help topic. */
export class ProgramHelp extends Help {
  protected override CommandHelpClass = ProgramCommandHelp
}

class ProgramCommandHelp extends CommandHelp {
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

function moveDefaultLast(flag: Command.Flag.Any): Command.Flag.Any {
  const { default: value, env: _, ...rest } = flag as Command.Flag.Any & { default?: unknown }
  const { description = '' } = flag
  const hasDefault = flag.type === 'option' && value !== undefined
  const text = hasDefault ? `${description} [default: ${String(value)}]` : description
  return { ...rest, description: text } as Command.Flag.Any
}
