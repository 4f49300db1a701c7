// The rules of `verify`: what docs/reference/interface.md requires of every relay. Details that it
// leaves open, such as the exact text of an error, are smsrelay's own; test/conformance tests them.
//
// A rule creates what it needs, sends to test numbers only, and expects nothing of the messages and
// subscriptions that an account had before. What it creates is removed for it. It neither waits for
// long nor needs anything but HTTP; a rule for which hours must pass says so with `needsClock`.
import type { Rule } from '../relay/rule.js'
import { envelopeRules } from './envelope-rules.js'
import { errorRules } from './error-rules.js'
import { eventRules } from './event-rules.js'
import { listRules } from './list-rules.js'
import { messageFieldRules } from './message-field-rules.js'
import { messageRules } from './message-rules.js'
import { nextRules } from './next-rules.js'
import { otherFieldRules } from './other-field-rules.js'
import { ownershipRules } from './ownership-rules.js'
import { serviceRules } from './service-rules.js'
import { stateRules } from './state-rules.js'
import { subscriptionRules } from './subscription-rules.js'
import { tokenRules } from './token-rules.js'

export const allRules: readonly Rule[] = [
  ...[...serviceRules, ...envelopeRules, ...messageFieldRules, ...otherFieldRules, ...stateRules],
  ...[...tokenRules, ...listRules, ...messageRules, ...nextRules, ...subscriptionRules],
  ...[...ownershipRules, ...eventRules, ...errorRules],
].toSorted((a, b) => Number(a.section) - Number(b.section))

/** Selects rules of `verify` by section: `4` is all of section 4, `4.2` only that part. */
export function selectRules(prefixes: readonly string[]): readonly Rule[] {
  if (prefixes.length === 0) return allRules
  const matches = ({ section }: Rule): boolean =>
    prefixes.some(prefix => section === prefix || section.startsWith(`${prefix}.`))
  return allRules.filter(matches)
}
