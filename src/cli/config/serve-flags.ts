import type { FlagInput } from '@oclif/core/interfaces'
import { toFlagName } from '../../settings/setting.js'
import { listSettings } from '../../settings/settings.js'
import { toFlag } from './setting-flags.js'

export const serveFlags: FlagInput = Object.fromEntries(
  listSettings().map(([name, row]) => [toFlagName(name), toFlag(name, row)]),
)

/** `--trust-proxy` may have no value, which oclif does not know. */
export function completeServeArguments(argv: readonly string[]): string[] {
  return argv.map((word, at) =>
    word === '--trust-proxy' && (argv[at + 1] ?? '-').startsWith('-') ? '--trust-proxy=1' : word,
  )
}
