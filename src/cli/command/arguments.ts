import { string } from '@oclif/core/args'
import type { Arg } from '@oclif/core/interfaces'

/** An argument that may be left out. */
export function defineOptionalArgument(description: string): Arg<string | undefined> {
  return string({ description, ignoreStdin: true })
}

/** An argument that is shown as required; where it is missing, the command asks for it. */
export function defineRequiredArgument(description: string): Arg<string | undefined> {
  return { ...defineOptionalArgument(description), required: true }
}
