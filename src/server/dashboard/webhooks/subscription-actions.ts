import { parse } from '../../../contract/schema/parse.js'
import { replayRequest, skipRequest } from '../../../contract/subscription-schema.js'
import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import {
  type Answer,
  done,
  failed,
  type PageHandler,
  type Pages,
  type Visit,
} from '../page/page.js'
import { subscriptionPath, subscriptionsPath } from './subscription-path.js'

type Parts = Pick<AppParts, 'subscriptions' | 'deliveries'>

/** Does the work, and resolves to what is said of it. */
type Work = (visit: Visit, id: string) => Promise<string>

/** What is done with one subscription by a button. */
export function subscriptionActionPages({ subscriptions, deliveries }: Parts): Pages {
  const verbs: Readonly<Record<string, Work>> = {
    pause: async ({ account }, id) => {
      await subscriptions.pause(account, id)
      return 'The subscription is paused: its events wait.'
    },
    resume: async ({ account }, id) => {
      await subscriptions.resume(account, id)
      return 'The subscription goes on: what waits is tried at once.'
    },
    skip: async ({ account, fields }, id) => {
      const { sequence } = parse(skipRequest, { sequence: fields.sequence })
      await subscriptions.skip(account, id, sequence)
      return `Event ${sequence ?? ''} is skipped, and logged as given up.`
    },
    replay: async ({ account, fields }, id) => {
      const { from } = parse(replayRequest, { from: fields.from })
      await subscriptions.replay(account, id, from)
      return `Events are delivered again from ${from} on.`
    },
    resend: async ({ account, fields }, id) => {
      const { from: sequence } = parse(replayRequest, { from: fields.sequence })
      const { ok, status, error } = await deliveries.resend(account, id, sequence)
      const answer = status === undefined ? '' : `, answered with ${status}`
      return `Event ${sequence} was ${ok ? 'resent' : 'not delivered'}${answer}. ${error ?? ''}`
    },
  }
  const pages = Object.entries(verbs).map(([verb, work]) => [
    `${subscriptionsPath}/:id/${verb}`,
    { POST: withPage(async (visit, id) => done(subscriptionPath(id), await work(visit, id))) },
  ])
  return {
    ...Object.fromEntries(pages),
    [`${subscriptionsPath}/:id/delete`]: {
      POST: withPage(async ({ account }, id) => {
        await subscriptions.remove(account, id)
        return done(subscriptionsPath, 'The subscription is deleted.')
      }),
    },
  }
}

/** What cannot be done is told on the page of the subscription, which shows how it is by now. */
function withPage(work: (visit: Visit, id: string) => Promise<Answer>): PageHandler {
  return async visit => {
    const id = param(visit.request, 'id')
    try {
      return await work(visit, id)
    } catch (error) {
      if (!isRelayError(error) || !told.has(error.code)) throw error
      return failed(
        subscriptionPath(id),
        [error.message, error.hint ?? ''].join(' ').replaceAll('`', ''),
      )
    }
  }
}

const told: ReadonlySet<string> = new Set([
  ...['invalid_state', 'invalid_parameter', 'invalid_request', 'not_found', 'unavailable'],
])
