import { string } from '@oclif/core/args'
import type { Arg } from '@oclif/core/interfaces'

export function defineOptionalArgument(description: string): Arg<string | undefined> {
  return string({ description, ignoreStdin: true })
}

/** A command argument that help shows as required; if it is missing, the command asks for it. */
export function defineRequiredArgument(description: string): Arg<string | undefined> {
  return { ...defineOptionalArgument(description), required: true }
}
