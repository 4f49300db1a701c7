import type { EventName } from '../../domain/webhook/event.js'

/** When each event is fired (docs/reference/interface.md 6, docs/reference/extensions.md). */
export const eventDescriptions: Readonly<Record<EventName, string>> = {
  'message.create': 'A message was added.',
  'message.sent': 'A message was sent.',
  'message.failed': 'A message could not be sent in five attempts.',
  'message.blocked': 'A Do Not Text list blocked a message.',
  'message.received': 'A text reached a phone.',
  'number.blocked': 'A number was added to the Do Not Text list.',
  'number.unblocked': 'A number was removed from the Do Not Text list.',
  'subscription.paused': 'Another subscription of the account was paused.',
  'subscription.resumed': 'Another subscription of the account was resumed.',
  'message.delivered': 'All parts of a message are delivered.',
  'message.undelivered': 'The first part of a message is undelivered or expired.',
  'person.signed_in': 'Somebody signed in to the account.',
  'person.sign_in_refused': 'A sign-in was refused after many wrong ones.',
}
