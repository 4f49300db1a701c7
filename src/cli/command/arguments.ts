import { string } from '@oclif/core/args'
import type { Arg } from '@oclif/core/interfaces'

export function defineOptionalArgument(description: string): Arg<string | undefined> {
  return string({ description, ignoreStdin: true })
}

export function defineRequiredArgument(description: string): Arg<string | undefined> {
  return { ...defineOptionalArgument(description), required: true }
}
