import { string } from '@oclif/core/args'
import type { Arg } from '@oclif/core/interfaces'

/** An argument that may be left out. */
export function optionalArgument(description: string): Arg<string | undefined> {
  return string({ description, ignoreStdin: true })
}

/** An argument that is shown as required; where it is missing, the command asks for it. */
export function neededArgument(description: string): Arg<string | undefined> {
  return { ...optionalArgument(description), required: true }
}
