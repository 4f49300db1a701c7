import type { core, ZodMiniType } from 'zod/mini'
import { RelayError } from '../../errors.js'

/** Checks a reply of a relay. Throws `invalid_reply`. */
export function parseReply<T>(schema: ZodMiniType<T>, value: unknown): T {
  // Compiling a check takes longer than the few checks of a command.
  const result = schema.safeParse(value, { jitless: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const where = issue?.path.length ? `\`${issue.path.join('.')}\`` : 'it'
  throw new RelayError(
    'invalid_reply',
    `The relay's answer is not of the interface: ${where} ${describeIssue(issue)}.`,
    { hint: 'Check that the address is that of a relay.' },
  )
}

function describeIssue(issue: core.$ZodIssue | undefined): string {
  return issue?.code === 'invalid_type' ? `must be of type ${issue.expected}` : 'has another value'
}
