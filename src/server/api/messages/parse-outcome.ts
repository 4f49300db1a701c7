import { messageOutcome } from '../../../contract/message-batch-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import { limits } from '../../../domain/limits.js'
import type { FailureReport, ReleaseRequest } from '../../../domain/message/report.js'
import type { ReportedOutcome } from '../../services/phones/claim-service.js'

interface FailureFields {
  readonly error: string
  readonly outcome: FailureReport['outcome']
  readonly retry_after?: number | undefined
}

export function parseOutcome(value: unknown): ReportedOutcome {
  const fields = parseInput(messageOutcome, value, 'outcome')
  const { id, idempotency_key: key, parts, error, outcome, retry_after, release } = fields
  if (parts !== undefined) return { id, key, success: { parts } }
  if (error !== undefined) return { id, key, failure: toFailure({ error, outcome, retry_after }) }
  return release === undefined ? { id } : { id, release: toRelease({ retry_after }) }
}

export function toFailure({ error, outcome, retry_after }: FailureFields): FailureReport {
  return { error: error.slice(0, limits.errorMessage), outcome, ...toRelease({ retry_after }) }
}

export function toRelease({
  retry_after: seconds,
}: {
  readonly retry_after?: number | undefined
}): ReleaseRequest {
  return seconds === undefined ? {} : { retryAfter: seconds * 1000 }
}
