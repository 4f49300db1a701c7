// The message resource over HTTP.
//
// - message-routes: what users do with messages, one request each
// - report-routes: NEXT, and what phones report about one message
// - batch-routes: up to 1,000 creates, reports or receipts in one request. batch-body reads the
//   items; each is checked alone; one call of the service commits those that are valid; batch-json
//   formats one result for each, in order.
// - parse-outcome: what a phone reports, from the fields of a request
// - message-json, message-json-cache: messages as JSON text

import { deliveryReceipt } from '../../../contract/delivery-status-schema.js'
import { batchMessage } from '../../../contract/message-batch-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import { limits } from '../../../domain/limits.js'
import type { BatchResult } from '../../../domain/message/message-batch.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { TurnPacer } from '../../../util/async/turn-pacer.js'
import {
  getIdempotencyKey,
  getPhoneIntroduction,
  prefersMinimal,
} from '../../http/request-headers.js'
import type { RouteHandler, RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { KeyedDraft } from '../../services/messages/message-composer.js'
import type { MessageService } from '../../services/messages/message-service.js'
import type { ClaimService, ReportedOutcome } from '../../services/phones/claim-service.js'
import type { PhoneService } from '../../services/phones/phone-service.js'
import type { MessageReceipt, ReceiptService } from '../../services/phones/receipt-service.js'
import { readBatch } from './batch-body.js'
import { formatCreateResults, formatReceiptResults, formatReportResults } from './batch-json.js'
import { toMessageDraft } from './message-routes.js'
import { parseOutcome } from './parse-outcome.js'

const itemsPerPiece = 250

export function createBatchHandlers({
  claims,
  messages,
  phones,
  receipts,
}: ServerContext): RouteHandlers<'reportMessages' | 'createMessages' | 'reportDelivery'> {
  const pacer = new TurnPacer(1)
  return {
    reportMessages: createReportHandler(claims, phones, pacer),
    createMessages: createCreateHandler(messages, pacer),
    reportDelivery: createDeliveryHandler(receipts, pacer),
  }
}

function createReportHandler(
  claims: ClaimService,
  phones: PhoneService,
  pacer: TurnPacer,
): RouteHandler {
  return async ({ caller, request, response }) => {
    const items = await readBatch(request, 'outcomes')
    const isMinimal = applyMinimal(request, response)
    const introduction = getPhoneIntroduction(request)
    const parse = (item: unknown): ReportedOutcome => ({
      ...parseOutcome(item),
      phone: introduction.name,
    })
    const results = await runValid(pacer, items, parse, async outcomes => {
      const answers = await claims.reportAll(caller.account, caller.holder, outcomes)
      for (const kind of ['success', 'failure'] as const) {
        if (hasReported(kind, outcomes, answers)) {
          phones.recordReport(caller, introduction, kind)
        }
      }
      return answers
    })
    const { requestId } = response
    return formatReportResults(items.map(getId), results, { isMinimal, requestId })
  }
}

function createCreateHandler(messages: MessageService, pacer: TurnPacer): RouteHandler {
  return async ({ caller, request, response }) => {
    const common = getIdempotencyKey(request)
    const items = await readBatch(request, 'messages')
    const isMinimal = applyMinimal(request, response)
    const parseItem = (value: unknown, at: number): KeyedDraft => {
      const { idempotency_key: own, ...fields } = parseInput(batchMessage, value, 'message')
      // In the API's batch, a header field has no line feed, so this is no key of another request.
      const key = own ?? (common === undefined ? undefined : `${common}\n${at}`)
      return { ...toMessageDraft(fields), key }
    }
    const results = await runValid(
      pacer,
      items,
      parseItem,
      async drafts => await messages.acceptAll(caller.account, drafts, 'api'),
    )
    return formatCreateResults(results, { isMinimal, requestId: response.requestId })
  }
}

function applyMinimal(request: HttpRequest, response: HttpResponse): boolean {
  const isMinimal = prefersMinimal(request)
  if (isMinimal) response.setHeader('Preference-Applied', 'return=minimal')
  return isMinimal
}

function createDeliveryHandler(receipts: ReceiptService, pacer: TurnPacer): RouteHandler {
  return async ({ caller, request, response }) => {
    const items = await readBatch(request, 'receipts')
    const report = async (parsed: readonly MessageReceipt[]) =>
      await receipts.report(caller.account, parsed)
    const results = await runValid(pacer, items, parseReceipt, report)
    return formatReceiptResults(items.map(getId), results, response)
  }
}

function parseReceipt(value: unknown): MessageReceipt {
  const { at, reason, ...receipt } = parseInput(deliveryReceipt, value, 'receipt')
  return {
    ...receipt,
    ...(at === undefined ? {} : { at: parseDateTime(at) }),
    ...(reason === undefined ? {} : { reason: reason.slice(0, limits.receiptReason) }),
  }
}

/**
 * For the API, runs the items of a batch that can be parsed; returns one result for each item, in
 * order.
 */
async function runValid<T>(
  pacer: TurnPacer,
  items: readonly unknown[],
  parse: (item: unknown, at: number) => T,
  run: (parsed: readonly T[]) => Promise<readonly BatchResult[]>,
): Promise<BatchResult[]> {
  const parsed: T[] = []
  const errors = await pacer.map(items, itemsPerPiece, (item, at) => {
    try {
      parsed.push(parse(item, at))
      return undefined
    } catch (error) {
      if (error instanceof RelayError) return error
      throw error
    }
  })
  const results = (parsed.length === 0 ? [] : await run(parsed)).values()
  return errors.map(error => (error ? { error } : (results.next().value as BatchResult)))
}

function hasReported(
  kind: 'success' | 'failure',
  outcomes: readonly ReportedOutcome[],
  results: readonly BatchResult[],
): boolean {
  return outcomes.some((each, at) => each[kind] !== undefined && results[at]?.error === undefined)
}

function getId(item: unknown): string {
  const id = (item as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' ? id : ''
}
