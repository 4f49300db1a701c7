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

/** Failed rules after which `verify` no longer waits as long as a right relay may take. */
const maxPatience = 2
/** Requests without any reply in a row after which `verify` checks no more rules. */
const maxUnanswered = 3

export async function openRelayUnderTest(
  target: VerifyTarget,
  signal: AbortSignal,
): Promise<RelayUnderTest> {
  const relay = new RelayUnderTest(target, signal)
  const started = performance.now()
  relay.http.limit = AbortSignal.timeout(relay.failureTime)
  try {
    const { body, status } = await relay.signInAll()
    if (isObject(body) && typeof body.access_token === 'string') {
      relay.http.limit = undefined
      relay.failureTime -= performance.now() - started
      return relay
    }
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
  let failed = 0
  for (const rule of rules) {
    if (unanswered >= maxUnanswered || relay.failureTime <= 0) {
      const reason =
        relay.failureTime > 0
          ? 'the relay does not answer any more'
          : 'the failures above took too long'
      yield { section: rule.section, rule: rule.title, result: 'skipped', reason, milliseconds: 0 }
      continue
    }
    const started = performance.now()
    const outcome = await checkRule(relay, rule, failed <= maxPatience)
    unanswered = outcome.got?.startsWith(noReply) === true ? unanswered + 1 : 0
    const milliseconds = Math.round(performance.now() - started)
    if (outcome.result === 'fail') {
      failed += 1
      relay.failureTime -= milliseconds
    }
    yield { section: rule.section, rule: rule.title, ...outcome, milliseconds }
  }
}

type Outcome = Omit<RuleResult, 'section' | 'rule' | 'milliseconds'>

const noReply = 'no reply'

async function checkRule(relay: RelayUnderTest, rule: Rule, isPatient: boolean): Promise<Outcome> {
  if (rule.needsClock === true && relay.target.moveClock === undefined) {
    return { result: 'skipped', reason: 'hours must pass; the tests of smsrelay move the clock' }
  }
  // A webhook may take two minutes (docs/reference/interface.md 6).
  const patience = isPatient ? (relay.target.inbox?.wait ?? 0) + relay.target.timeout : 0
  const time = Math.ceil(Math.max(relay.failureTime, patience))
  const limit = AbortSignal.timeout(time)
  relay.http.limit = limit
  relay.http.timeLeft = relay.failureTime
  try {
    await rule.check(relay)
    return { result: 'pass' }
  } catch (error) {
    relay.http.signal.throwIfAborted()
    if (isRelayError(error)) throw error
    const isLate = limit.aborted && !(error instanceof RuleSkipped)
    return await toOutcome(relay, isLate ? tooLateFailure(time) : error)
  } finally {
    if (!relay.http.signal.aborted) await relay.removeResources()
  }
}

function tooLateFailure(time: number): RuleFailure {
  return new RuleFailure(`an end of this rule within ${Math.round(time / 1000)} s`, 'none')
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

/** Shorter keys can also be words or parts of them. */
const minKeyLength = 8
const keyName = String.raw`(?:[Kk]ey|[Pp]assword|[Ss]ecret|[Tt]oken)["']?\s*[=: ]\s*["']?`

/**
 * Replaces the keys, passwords and tokens of `verify`, which nobody should see in a report. One of
 * a few characters is replaced only where a name says that it is a key.
 */
function hideKeys({ target, created }: RelayUnderTest, text: string): string {
  const keys = [target.keys, target.otherKeys].flatMap(each => [
    each?.secretKey,
    each?.apiKey,
    each?.appKey,
    each?.password,
  ])
  return [...created.tokens, ...keys]
    .filter(key => key !== undefined && key !== '')
    .reduce<string>((shown, key = '') => {
      const before = key.length < minKeyLength ? keyName : ''
      const secret = key.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
      const whole = new RegExp(`(?<=${before})(?<![\\w-])${secret}(?![\\w-])`, 'g')
      return shown.replace(whole, '[hidden]')
    }, text)
}
