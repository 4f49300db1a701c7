// `verify` checks the interface of docs/reference/interface.md against any relay, over HTTP only.
//
// 1. `relay/` signs in with the keys, and has what rules do with a relay.
// 2. The rules are in `rules/`, one file for each part of the interface.
// 3. What a rule created is removed after it, and once more at the end, also after Ctrl-C.
// 4. `verify-view` and `junit-report` show the results; `verify-flags` reads flags and keys.
//
// The tests of smsrelay run the same rules (test/conformance).
import { errorText, getErrorCode, isRelayError, RelayError } from '../../errors.js'
import { getCertificateHint, isCertificateError } from '../../net/client/connection-error.js'
import { isObject, shorten } from './relay/expectations.js'
import { findOtherPhone } from './relay/queue-steps.js'
import { RelayUnderTest, type VerifyTarget } from './relay/relay-under-test.js'
import type { Rule } from './relay/rule.js'
import { RuleFailure, RuleSkipped } from './relay/rule-outcome.js'
import type { SentRequest } from './relay/verify-http.js'

export interface RuleResult {
  readonly section: string
  readonly rule: string
  readonly result: 'pass' | 'fail' | 'skipped'
  readonly reason?: string
  readonly sent?: string
  readonly expected?: string
  readonly got?: string
  readonly milliseconds: number
}

/** Requests without any reply in a row after which `verify` checks no more rules. */
const maxUnanswered = 3

export async function openRelayUnderTest(
  target: VerifyTarget,
  signal: AbortSignal,
): Promise<RelayUnderTest> {
  const relay = new RelayUnderTest(target, signal)
  try {
    const { body, status } = await relay.signInAll()
    if (isObject(body) && typeof body.access_token === 'string') return relay
    const message = `${target.url}/oauth gave no token for the keys (status ${status}).`
    const hint = 'Check the address, SMSRELAY_SECRET_KEY and SMSRELAY_API_KEY.'
    throw new RelayError('invalid_client', message, { hint })
  } catch (error) {
    await relay.close(AbortSignal.timeout(target.timeout))
    signal.throwIfAborted()
    if (isRelayError(error)) throw error
    const message = `The relay at ${target.url} does not answer (${errorText(error)}).`
    const code = getErrorCode(error)
    const hint = isCertificateError(code) ? getCertificateHint(code) : 'Check the address.'
    throw new RelayError('unreachable', message, { hint, cause: error })
  }
}

export async function* runRules(
  relay: RelayUnderTest,
  rules: readonly Rule[],
): AsyncGenerator<RuleResult> {
  let unanswered = 0
  for (const rule of rules) {
    if (unanswered >= maxUnanswered) {
      const reason = 'the relay does not answer any more'
      yield { section: rule.section, rule: rule.title, result: 'skipped', reason, milliseconds: 0 }
      continue
    }
    const started = performance.now()
    const outcome = await checkRule(relay, rule)
    unanswered = outcome.got?.startsWith(noReply) === true ? unanswered + 1 : 0
    const milliseconds = Math.round(performance.now() - started)
    yield { section: rule.section, rule: rule.title, ...outcome, milliseconds }
  }
}

type Outcome = Omit<RuleResult, 'section' | 'rule' | 'milliseconds'>

const noReply = 'no reply'

async function checkRule(relay: RelayUnderTest, rule: Rule): Promise<Outcome> {
  if (rule.needsClock === true && relay.target.moveClock === undefined) {
    return { result: 'skipped', reason: 'hours must pass; the tests of smsrelay move the clock' }
  }
  try {
    await rule.check(relay)
    return { result: 'pass' }
  } catch (error) {
    relay.http.signal.throwIfAborted()
    if (isRelayError(error)) throw error
    return await toOutcome(relay, error)
  } finally {
    if (!relay.http.signal.aborted) await relay.removeResources()
  }
}

async function toOutcome(relay: RelayUnderTest, error: unknown): Promise<Outcome> {
  if (error instanceof RuleSkipped) return { result: 'skipped', reason: error.message }
  const sent = describeRequest(relay, relay.http.lastRequest)
  if (!(error instanceof RuleFailure)) {
    return { result: 'fail', ...sent, expected: 'a reply', got: `${noReply}: ${errorText(error)}` }
  }
  if (relay.isQueueUsed) {
    const reason = await findOtherPhone(relay).catch(() => undefined)
    if (reason !== undefined) return { result: 'skipped', reason }
  }
  const { expected, got, request } = error
  const shown = request === undefined ? sent : describeRequest(relay, request)
  return {
    result: 'fail',
    ...shown,
    expected: hideKeys(relay, expected),
    got: hideKeys(relay, got),
  }
}

function describeRequest(
  relay: RelayUnderTest,
  request: SentRequest | undefined,
): { sent?: string } {
  if (request === undefined) return {}
  const { method, url, body } = request
  const text = body === undefined ? `${method} ${url}` : `${method} ${url} ${shorten(body)}`
  return { sent: hideKeys(relay, text) }
}

/** Replaces the keys, passwords and tokens of `verify`, which nobody should see in a report. */
function hideKeys({ target, created }: RelayUnderTest, text: string): string {
  const accounts = [target.keys, target.otherKeys]
  const keys = accounts.flatMap(each => [
    each?.secretKey,
    each?.apiKey,
    each?.appKey,
    each?.password,
  ])
  const secrets = [...created.tokens, ...keys].filter(key => key !== undefined && key !== '')
  return secrets.reduce<string>((shown, secret) => shown.replaceAll(secret ?? '', '[hidden]'), text)
}
