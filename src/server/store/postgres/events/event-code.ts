import { type EventName, eventNames } from '../../../../domain/webhook/event.js'

/** Numbers of event names in the database: their places in a list that only grows at its end. */
const codes = new Map<EventName, number>(eventNames.map((name, at) => [name, at + 1]))

export function toEventCode(name: EventName): number {
  return codes.get(name) ?? 0
}

export function toEventName(code: number): EventName {
  return eventNames[code - 1] as EventName
}
