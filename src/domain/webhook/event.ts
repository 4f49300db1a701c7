/**
 * The events of a subscription, in the order of the interface; those after the first four are
 * extensions (docs/reference/interface.md 6, 9).
 */
export const eventNames = [
  'message.create',
  'message.sent',
  'message.failed',
  'message.blocked',
  'message.received',
  'number.blocked',
  'number.unblocked',
  'subscription.paused',
  'subscription.resumed',
  'message.delivered',
  'message.undelivered',
  'person.signed_in',
  'person.sign_in_refused',
] as const

export type EventName = (typeof eventNames)[number]

const namedOnly: readonly string[] = [
  ...['message.delivered', 'message.undelivered'],
  ...['person.signed_in', 'person.sign_in_refused'],
]

/** Whether an event is among those of a request without names of events. */
export function isDefaultEvent(name: string): boolean {
  return !namedOnly.includes(name)
}

export const defaultEventNames = eventNames.filter(isDefaultEvent)

export const eventObjects = ['message', 'received', 'number', 'subscription', 'audit'] as const

export type EventObject = (typeof eventObjects)[number]

/**
 * The kind of object that an event is about, by its name; an unknown name counts as an event of a
 * message.
 */
export function getEventObject(event: string): EventObject {
  if (event.startsWith('number.')) return 'number'
  if (event.startsWith('subscription.')) return 'subscription'
  if (event.startsWith('person.')) return 'audit'
  return event === 'message.received' ? 'received' : 'message'
}

export interface RelayEvent {
  /**
   * Number of the event among all events of the relay, from 1; later events have higher numbers.
   */
  readonly seq: number
  readonly account: string
  readonly event: EventName
  readonly message: string
  readonly at: number
}
