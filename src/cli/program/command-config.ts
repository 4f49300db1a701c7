import { Config } from '@oclif/core/config'
import type { Hook } from '@oclif/core/interfaces'

/**
 * What oclif knows of the program while a command runs: its name. `Config.load` also reads the package, every command,
 * plug-ins, the theme, the shell and the platform, which only help and mistyped commands need.
 */
export class CommandConfig extends Config {
  override bin = 'smsrelay'

  /** There are no plug-ins, and so no hooks. */
  override async runHook(): Promise<Hook.Result<never>> {
    return { successes: [], failures: [] }
  }
}
