import { type ClaimRequest, renewLease } from '../../../domain/message/claim.js'
import type { Message, MessageChange } from '../../../domain/message/message.js'
import {
  type FailureReport,
  type ReleaseRequest,
  type ReportSource,
  releaseMessage,
  reportFailure,
  reportSuccess,
  type SuccessReport,
} from '../../../domain/message/report.js'
import type { DecisionFacts } from '../../store/message-store.js'

/**
 * The outcome of a message that a phone reports to the service; with none of them, the phone renews
 * its lease.
 */
export interface Outcome {
  readonly success?: SuccessReport
  readonly failure?: FailureReport
  readonly release?: ReleaseRequest
}

export function applyOutcome(
  message: Message,
  { success, failure, release }: Outcome,
  by: ReportSource & ClaimRequest,
  facts: DecisionFacts,
): MessageChange {
  if (success !== undefined) return reportSuccess(message, success, by)
  if (failure !== undefined) return reportFailure(message, failure, by, by.mode)
  if (release !== undefined) return releaseMessage(message, release, by, facts)
  return renewLease(message, by, facts)
}
