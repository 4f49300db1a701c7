import { failureReport, releaseReport, successReport } from '../../../contract/message-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import { RelayError } from '../../../errors.js'
import { readFields } from '../../http/request-body.js'
import {
  formatPreferences,
  getIdempotencyKey,
  getPhoneIntroduction,
  type NextPreferences,
  parseNextPreferences,
} from '../../http/request-headers.js'
import {
  getParam,
  type RequestContext,
  type RouteHandler,
  type RouteHandlers,
  sendHead,
} from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageService } from '../../services/messages/message-service.js'
import type {
  ClaimOptions,
  ClaimService,
  ReportedOutcome,
} from '../../services/phones/claim-service.js'
import type { PhoneService } from '../../services/phones/phone-service.js'
import { formatBatchJson } from './batch-json.js'
import { formatMessageJson } from './message-json.js'
import { toFailure, toRelease } from './parse-outcome.js'

export function createReportHandlers({
  claims,
  messages,
  phones,
}: ServerContext): RouteHandlers<
  'nextMessage' | 'getNextMessage' | 'reportSuccess' | 'reportFailure' | 'releaseMessage'
> {
  const next = createNextHandler(claims, phones)
  return {
    nextMessage: next,
    getNextMessage: async context =>
      context.request.method === 'HEAD' ? await peekNext(messages, context) : await next(context),
    reportSuccess: createSuccessHandler(claims, phones),
    reportFailure: createFailureHandler(claims, phones),
    releaseMessage: createReleaseHandler(claims, phones),
  }
}

/** Counts an API request NEXT as the presence of its phone until the reply. */
function createNextHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async context => {
    const { caller, request, response } = context
    const endNext = phones.trackNext(caller, getPhoneIntroduction(request))
    try {
      const preferences = parseNextPreferences(request)
      const applied = formatPreferences(preferences)
      if (applied !== '') response.setHeader('Preference-Applied', applied)
      const reply = await claimNext(claims, context, preferences)
      if (reply !== undefined) return reply
      throw noMessageError()
    } finally {
      endNext()
    }
  }
}

/** Answers HEAD of GET /message/next, which claims nothing and is no presence of the phone. */
async function peekNext(
  messages: MessageService,
  { caller: { account }, response }: RequestContext,
): Promise<undefined> {
  const { due } = await messages.getQueueDepth(account)
  if (due === 0) throw noMessageError()
  return sendHead(response)
}

function noMessageError(): RelayError {
  return new RelayError('not_a_message', 'No message is due now; try again later.')
}

/** The API claims first without listening for the end of the connection, which is slow. */
async function claimNext(
  claims: ClaimService,
  context: RequestContext,
  preferences: NextPreferences,
): Promise<string | undefined> {
  const { request } = context
  const { wait: seconds = 0 } = preferences
  const reply = request.isClosed ? undefined : await claim(claims, context, preferences, {})
  if (reply !== undefined || seconds === 0) return reply
  const onWait = (milliseconds: number): void => {
    request.waited += milliseconds
  }
  const options = { wait: seconds * 1000, signal: request.signal, onWait }
  return await claim(claims, context, preferences, options)
}

async function claim(
  claims: ClaimService,
  { caller: { account, holder }, base }: RequestContext,
  { batch: count, since = 0 }: NextPreferences,
  options: ClaimOptions,
): Promise<string | undefined> {
  if (count === undefined) {
    const message = await claims.next(account, holder, options)
    return message && formatMessageJson(message, base)
  }
  const batch = await claims.nextBatch(account, holder, { ...options, count, since })
  return batch && formatBatchJson(batch, claims.lease)
}

function createSuccessHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async context => {
    const { caller, request, base } = context
    const success = parseInput(successReport, await readFields(request))
    const { id, key, phone } = getReportDetails(context)
    const outcome = { id, key, phone, success }
    const message = await claims.report(caller.account, caller.holder, outcome)
    phones.recordReport(caller, getPhoneIntroduction(request), 'success')
    return formatMessageJson(message, base)
  }
}

function createFailureHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async context => {
    const { caller, request, base } = context
    const { error_message, ...report } = parseInput(failureReport, await readFields(request))
    const failure = toFailure({ ...report, error: error_message })
    const { id, key, phone } = getReportDetails(context)
    const outcome = { id, key, phone, failure }
    const message = await claims.report(caller.account, caller.holder, outcome)
    phones.recordReport(caller, getPhoneIntroduction(request), 'failure')
    return formatMessageJson(message, base)
  }
}

function createReleaseHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async context => {
    const { request, base } = context
    const { account, holder } = context.caller
    const release = toRelease(parseInput(releaseReport, await readFields(request)))
    const { id, phone = await phones.findName(account, holder) } = getReportDetails(context)
    return formatMessageJson(await claims.report(account, holder, { id, phone, release }), base)
  }
}

function getReportDetails({
  request,
}: RequestContext): Pick<ReportedOutcome, 'id' | 'key' | 'phone'> {
  const { name: phone } = getPhoneIntroduction(request)
  return { id: getParam(request, 'id'), key: getIdempotencyKey(request), phone }
}
