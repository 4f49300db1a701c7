import { failureReport, releaseReport, successReport } from '../../contract/message-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import { readFields } from '../http/request-body.js'
import { getIdempotencyKey, parsePreferredWait } from '../http/request-headers.js'
import {
  getParam,
  type RequestContext,
  type RouteHandler,
  type RouteHandlers,
} from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import type { ClaimService } from '../services/phones/claim-service.js'
import type { PhoneService } from '../services/phones/phone-service.js'
import { formatMessageJson } from './message-json.js'
import { getPhoneIntroduction } from './phone-routes.js'

export function createReportHandlers({
  claims,
  phones,
}: ServerContext): RouteHandlers<
  'nextMessage' | 'getNextMessage' | 'reportSuccess' | 'reportFailure' | 'releaseMessage'
> {
  const next = createNextHandler(claims, phones)
  return {
    nextMessage: next,
    getNextMessage: next,
    reportSuccess: createSuccessHandler(claims, phones),
    reportFailure: createFailureHandler(claims, phones),
    releaseMessage: createReleaseHandler(claims),
  }
}

/** Counts an API request NEXT as the presence of its phone until the reply. */
function createNextHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async ({ caller, request, response, base }) => {
    const endNext = phones.trackNext(caller, getPhoneIntroduction(request))
    try {
      const seconds = parsePreferredWait(request)
      if (seconds !== undefined) response.setHeader('Preference-Applied', `wait=${seconds}`)
      const { account, holder } = caller
      const wait = (seconds ?? 0) * 1000
      let message = request.isClosed ? undefined : await claims.next(account, holder)
      if (message === undefined && wait > 0) {
        message = await claims.next(account, holder, { wait, signal: request.signal })
      }
      if (message !== undefined) return formatMessageJson(message, base)
      throw new RelayError('not_a_message', 'No message is due now; try again later.')
    } finally {
      endNext()
    }
  }
}

function createSuccessHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async context => {
    const { caller, request, base } = context
    const report = parseInput(successReport, await readFields(request))
    const { holder, id, key } = getReportDetails(context)
    const message = await claims.reportSuccess(caller.account, holder, id, report, key)
    phones.recordReport(caller, getPhoneIntroduction(request), 'success')
    return formatMessageJson(message, base)
  }
}

function createFailureHandler(claims: ClaimService, phones: PhoneService): RouteHandler {
  return async context => {
    const { caller, request, base } = context
    const { error_message, outcome } = parseInput(failureReport, await readFields(request))
    const report = { error: error_message.slice(0, limits.errorMessage), outcome }
    const { holder, id, key } = getReportDetails(context)
    const message = await claims.reportFailure(caller.account, holder, id, report, key)
    phones.recordReport(caller, getPhoneIntroduction(request), 'failure')
    return formatMessageJson(message, base)
  }
}

function createReleaseHandler(claims: ClaimService): RouteHandler {
  return async context => {
    const { caller, request, base } = context
    const { retry_after: seconds } = parseInput(releaseReport, await readFields(request))
    const options = seconds === undefined ? {} : { retryAfter: seconds * 1000 }
    const { holder, id } = getReportDetails(context)
    return formatMessageJson(await claims.release(caller.account, holder, id, options), base)
  }
}

function getReportDetails({ caller, request }: RequestContext): {
  holder: string
  id: string
  key?: string
} {
  const key = getIdempotencyKey(request)
  return {
    holder: caller.holder,
    id: getParam(request, 'id'),
    ...(key === undefined ? {} : { key }),
  }
}
