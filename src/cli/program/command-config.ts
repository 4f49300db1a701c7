import type { Config } from '@oclif/core/config'

type UsedConfig = Pick<Config, 'bin' | 'root' | 'options' | 'runHook' | 'scopedEnvVarKeys'>

/**
 * Creates the configuration of oclif while a command runs. oclif's own loads modules for plug-ins,
 * which the command line does not have, and `Config.load` also reads the package, every command,
 * theme, shell and platform, which only help and mistyped commands need.
 */
export function createCommandConfig(root: string): Config {
  const config: UsedConfig = {
    bin: 'smsrelay',
    root,
    options: { root },
    runHook: async () => ({ successes: [], failures: [] }),
    scopedEnvVarKeys: () => [],
  }
  return config as Config
}
