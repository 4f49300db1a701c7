import { deliveryStates, getDeliveryState } from '../../../../domain/message/delivery-status.js'
import { type Status, sources, statusNames } from '../../../../domain/message/message.js'
import {
  type CountedGroup,
  formatGroup,
  type GroupedFields,
  type MessageGroup,
  parseGroup,
} from '../../../../domain/message/message-counts.js'
import { callingCodeLength } from '../../../../domain/sms/calling-code.js'

const statuses = Object.keys(statusNames) as Status[]

/**
 * Numbers of the groups in which an account's messages count. A list has the number of each message
 * instead of counters of each period, which would take more memory than the messages of an account
 * that sends little.
 */
export class GroupNumbers {
  readonly #groups: MessageGroup[] = []
  readonly #numbers = new Map<string, number>()
  readonly #numbersByFields = new Map<string, Map<string, number[]>>()

  getNumber(message: GroupedFields): number {
    const numbers = this.#findNumbers(message)
    const code = getCode(message)
    const known = numbers[code]
    if (known !== undefined) return known
    const text = formatGroup(message)
    const found = this.#numbers.get(text) ?? this.#groups.push(parseGroup(text)) - 1
    this.#numbers.set(text, found)
    numbers[code] = found
    return found
  }

  get size(): number {
    return this.#groups.length
  }

  listCounted(counts: readonly number[]): CountedGroup[] {
    return this.#groups.flatMap((group, at) => {
      const count = counts[at] ?? 0
      return count === 0 ? [] : [{ ...group, count }]
    })
  }

  #findNumbers({ phone = '', number }: GroupedFields): number[] {
    const start = number.length > callingCodeLength ? number.slice(0, callingCodeLength) : number
    const byNumber = this.#numbersByFields.get(phone) ?? new Map<string, number[]>()
    const numbers = byNumber.get(start) ?? []
    if (numbers.length > 0) return numbers
    this.#numbersByFields.set(phone, byNumber.set(start, numbers))
    return numbers
  }
}

function getCode({ status, source, delivery }: GroupedFields): number {
  const state = getDeliveryState(delivery)
  const code = state === undefined ? 0 : deliveryStates.indexOf(state) + 1
  return (
    (code * sources.length + sources.indexOf(source)) * statuses.length + statuses.indexOf(status)
  )
}
