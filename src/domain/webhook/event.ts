/** The events a subscription can listen to, in the order the interface lists them; the last is an extension (SPEC.md sections 6 and 9). */
export const eventNames = [
  'message.create',
  'message.sent',
  'message.failed',
  'message.blocked',
  'message.received',
] as const

/** One of {@link eventNames}. */
export type EventName = (typeof eventNames)[number]

/** What an event can be about: a message to send, or a text that reached a phone. */
export const eventObjects = ['message', 'received'] as const

/** One of {@link eventObjects}. */
export type EventObject = (typeof eventObjects)[number]

/** What events of that name are about; a name nobody knows is one of messages, as all were at first. */
export function getEventObject(event: string): EventObject {
  return event === 'message.received' ? 'received' : 'message'
}

/** A recorded event: what happened to which message, with its place in the one order of the service. */
export interface RelayEvent {
  /** Place in the order of all events of the store; starts at 1 and only grows. */
  readonly seq: number
  readonly account: string
  readonly event: EventName
  /** Identifier of the message, or of what else {@link objectOf} says it is about. */
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly at: number
}
