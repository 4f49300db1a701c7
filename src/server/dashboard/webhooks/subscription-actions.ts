import { parseInput } from '../../../contract/schema/parse.js'
import { replayRequest, skipRequest } from '../../../contract/subscription-schema.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  type PageHandler,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { getSubscriptionPath, subscriptionsPath } from './subscription-path.js'

type Context = Pick<ServerContext, 'subscriptions' | 'deliveries'>

/** Does the work, and resolves to what is said of it. */
type SubscriptionAction = (request: PageRequest, id: string) => Promise<string>

/** What is done with one subscription by a button. */
export function createSubscriptionActionPages({ subscriptions, deliveries }: Context): Pages {
  const verbs: Readonly<Record<string, SubscriptionAction>> = {
    pause: async ({ account }, id) => {
      await subscriptions.pause(account, id)
      return 'The subscription is paused: its events wait.'
    },
    resume: async ({ account }, id) => {
      await subscriptions.resume(account, id)
      return 'The subscription goes on: what waits is tried at once.'
    },
    skip: async ({ account, fields }, id) => {
      const { sequence } = parseInput(skipRequest, { sequence: fields.sequence })
      await subscriptions.skip(account, id, sequence)
      return `Event ${sequence ?? ''} is skipped, and logged as given up.`
    },
    replay: async ({ account, fields }, id) => {
      const { from } = parseInput(replayRequest, { from: fields.from })
      await subscriptions.replay(account, id, from)
      return `Events are delivered again from ${from} on.`
    },
    resend: async ({ account, fields }, id) => {
      const { from: sequence } = parseInput(replayRequest, { from: fields.sequence })
      const { ok, status, error } = await deliveries.resend(account, id, sequence)
      const answer = status === undefined ? '' : `, answered with ${status}`
      return `Event ${sequence} was ${ok ? 'resent' : 'not delivered'}${answer}. ${error ?? ''}`
    },
  }
  const pages = Object.entries(verbs).map(([verb, work]) => [
    `${subscriptionsPath}/:id/${verb}`,
    {
      POST: createActionHandler(async (request, id) =>
        redirectWithSuccess(getSubscriptionPath(id), await work(request, id)),
      ),
    },
  ])
  return {
    ...Object.fromEntries(pages),
    [`${subscriptionsPath}/:id/delete`]: {
      POST: createActionHandler(async ({ account }, id) => {
        await subscriptions.remove(account, id)
        return redirectWithSuccess(subscriptionsPath, 'The subscription is deleted.')
      }),
    },
  }
}

/** What cannot be done is told on the page of the subscription, which shows how it is by now. */
function createActionHandler(
  work: (request: PageRequest, id: string) => Promise<PageResult>,
): PageHandler {
  return async request => {
    const id = getParam(request.http, 'id')
    try {
      return await work(request, id)
    } catch (error) {
      if (!isRelayError(error) || !reportedCodes.has(error.code)) throw error
      return redirectWithError(
        getSubscriptionPath(id),
        [error.message, error.hint ?? ''].join(' ').replaceAll('`', ''),
      )
    }
  }
}

const reportedCodes: ReadonlySet<string> = new Set([
  ...['invalid_state', 'invalid_parameter', 'invalid_request', 'not_found', 'unavailable'],
])
