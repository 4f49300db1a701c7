import { apiToken, getPhoneToken } from '../servers/accounts.js'
import type { Actor, Step } from './actor.js'
import { destinations, formatRequest, messagePath, messageText } from './requests.js'

/** Requests that create so many messages each. */
export function createBatchSteps(count: number): Step[] {
  return Array.from({ length: destinations.length / count }, (_, nth) => {
    const chosen = destinations.slice(nth * count, (nth + 1) * count)
    const messages = chosen.map(destination => ({ destination, message: messageText }))
    const body = { type: 'application/json', text: JSON.stringify(messages) }
    const bytes = formatRequest('POST', `${messagePath}/batch`, apiToken, body)
    return { name: 'create', bytes }
  })
}

interface Claimed {
  readonly messages: readonly { readonly message: { readonly id: string } }[]
  readonly claim: number
}

/** A phone that claims and reports up to `count` messages at a time; `onDone` gets their number. */
export function createBatchPhone(
  number: number,
  count: number,
  onDone: (count: number) => void,
): Actor {
  const token = getPhoneToken(number)
  let since = 0
  let reported = 0
  return {
    readsBody: true,
    next: body => {
      if (reported > 0 || body === undefined) {
        onDone(reported)
        reported = 0
        return createClaimStep(token, count, since)
      }
      const { messages, claim } = JSON.parse(body.toString()) as Claimed
      since = claim
      reported = messages.length
      return createReportStep(
        token,
        messages.map(({ message }) => message.id),
      )
    },
  }
}

function createClaimStep(token: string, count: number, since: number): Step {
  const prefer = `Prefer: wait=25, batch=${count}, since=${since}\r\n\r\n`
  const bytes = formatRequest('NEXT', messagePath, token).replace(/\r\n$/, prefer)
  return { name: 'next', bytes }
}

function createReportStep(token: string, ids: readonly string[]): Step {
  const outcomes = ids.map(id => ({ id, parts: 1 }))
  const body = { type: 'application/json', text: JSON.stringify(outcomes) }
  const bytes = formatRequest('POST', `${messagePath}/report`, token, body)
  return { name: 'success', bytes: bytes.replace('\r\n', '\r\nPrefer: return=minimal\r\n') }
}
