import { Config } from '@oclif/core/config'
import type { Hook } from '@oclif/core/interfaces'

/**
 * The configuration of oclif while a command runs. `Config.load` would also read the package, every
 * command, plug-ins, theme, shell and platform, which only help and mistyped commands need.
 */
export class CommandConfig extends Config {
  override bin = 'smsrelay'
  override root = this.options.root

  /** The command line has no oclif plug-ins and therefore no hooks. */
  override async runHook(): Promise<Hook.Result<never>> {
    return { successes: [], failures: [] }
  }
}
