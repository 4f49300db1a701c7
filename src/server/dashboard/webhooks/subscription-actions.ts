import { parseInput } from '../../../contract/schema/parse.js'
import { replayRequest, skipRequest } from '../../../contract/subscription-schema.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { formatFormError } from '../page/field-errors.js'
import {
  getField,
  type PageHandler,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { getSubscriptionPath, subscriptionsPath } from './subscription-summary.js'

type Context = Pick<ServerContext, 'subscriptions' | 'deliveryLog'>

type SubscriptionAction = (request: PageRequest, id: string) => Promise<PageResult>

export function createSubscriptionActionPages(context: Context): Pages {
  const actions = { ...createStateActions(context), ...createDeliveryActions(context) }
  const pages = Object.entries(actions).map(([name, action]) => [
    `${subscriptionsPath}/:id/${name}`,
    { POST: createActionHandler(action) },
  ])
  return Object.fromEntries(pages)
}

function createStateActions({ subscriptions }: Context): Record<string, SubscriptionAction> {
  return {
    pause: async ({ account }, id) => {
      await subscriptions.pause(account, id)
      const path = getSubscriptionPath(id)
      return redirectWithSuccess(path, 'The subscription is paused.', `${path}/resume`)
    },
    resume: async ({ account }, id) => {
      await subscriptions.resume(account, id)
      const text = 'The subscription is resumed. Waiting events are delivered now.'
      const path = getSubscriptionPath(id)
      return redirectWithSuccess(path, text, `${path}/pause`)
    },
    delete: async ({ account }, id) => {
      await subscriptions.remove(account, id)
      return redirectWithSuccess(subscriptionsPath, 'The subscription is deleted.')
    },
  }
}

/** Characters of a receiver's reply to a test webhook that the dashboard shows. */
const maxShownReply = 200

function createDeliveryActions(context: Context): Record<string, SubscriptionAction> {
  const { subscriptions, deliveryLog } = context
  return {
    skip: async ({ account, fields }, id) => {
      const { sequence } = parseInput(skipRequest, { sequence: fields.sequence })
      await subscriptions.skip(account, id, sequence)
      return redirectWithSuccess(getSubscriptionPath(id), `Event ${sequence ?? ''} is skipped.`)
    },
    replay: async (request, id) => {
      const { from } = parseInput(replayRequest, { from: getField(request, 'from').trim() })
      await subscriptions.replay(request.account, id, from)
      const text = `The events from ${from} are delivered again.`
      return redirectWithSuccess(getSubscriptionPath(id), text)
    },
    test: async ({ account }, id) => {
      const { ok, status, error, ms, reply = '' } = await deliveryLog.test(account, id)
      const body = reply === '' ? '' : ` Its reply begins with: ${reply.slice(0, maxShownReply)}`
      const text = `${status ?? 'No reply'} in ${ms} ms.`
      if (ok)
        return redirectWithSuccess(getSubscriptionPath(id), `The test arrived: ${text}${body}`)
      const failure = `The test failed: ${text} ${error ?? ''} ${adviseOn(status)}${body}`
      return redirectWithError(getSubscriptionPath(id), failure)
    },
    resend: async ({ account, fields }, id) => {
      const { from: sequence } = parseInput(replayRequest, { from: fields.sequence })
      const { ok, status, error } = await deliveryLog.resend(account, id, sequence)
      const code = status === undefined ? '' : ` (${status})`
      if (ok)
        return redirectWithSuccess(getSubscriptionPath(id), `Event ${sequence} is resent${code}.`)
      const text = `Event ${sequence} was not delivered${code}. ${error ?? ''} ${adviseOn(status)}`
      return redirectWithError(getSubscriptionPath(id), text)
    },
  }
}

/** What to do about a webhook that failed with this status; undefined if there was no reply. */
function adviseOn(status: number | undefined): string {
  if (status === undefined)
    return 'Check the URL, and that its receiver is running and the relay can reach it.'
  if (status >= 500) return 'The log of the receiver says why.'
  return 'Check the URL and the method of the subscription, and what the receiver expects.'
}

function createActionHandler(action: SubscriptionAction): PageHandler {
  return async request => {
    const id = getParam(request.http, 'id')
    try {
      return await action(request, id)
    } catch (error) {
      if (!isRelayError(error) || !expectedCodes.has(error.code)) throw error
      return redirectWithError(getSubscriptionPath(id), formatFormError(error))
    }
  }
}

const expectedCodes: ReadonlySet<string> = new Set([
  'invalid_state',
  'invalid_parameter',
  'invalid_request',
  'not_found',
  'unavailable',
])
