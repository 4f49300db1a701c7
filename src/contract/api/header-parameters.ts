import { limits } from '../../domain/limits.js'
import { extension, type JsonSchema, utcTime } from '../schema/describe.js'

const phoneText: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: limits.phoneName,
  ...extension,
}

export const headerParameters = {
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: limits.idempotencyKey,
    description:
      'A repeated request with the same key gets the first reply, for 24 hours. The same key ' +
      'with other data is `invalid_request`.',
    ...extension,
  },
  'If-Match': {
    type: 'string',
    description:
      'Entity tags (RFC 9110 section 13.1.1), separated by commas: the request has an effect ' +
      'only if one of them is the `ETag` of the resource; `*` matches every one, a weak tag none.',
    ...extension,
  },
  Prefer: {
    type: 'string',
    description:
      'Preferences (RFC 7240), separated by commas. `wait=N`: NEXT waits up to N seconds for a ' +
      `message, at most 60. \`batch=N\`: up to N messages, at most ${limits.messageBatch}; ` +
      '`since=K`: those after the `claim` K of the reply before. `return=minimal`: a batch ' +
      'leaves out the messages that were sent or created. The field `Preference-Applied` of the ' +
      'reply says what NEXT used.',
    ...extension,
  },
  'X-Sign-In-Code': {
    type: 'string',
    description:
      'The code that the authenticator app shows now, or a recovery code: required with e-mail ' +
      'address and password of a person with a second factor, otherwise ignored. Each code works ' +
      'once.',
    ...extension,
  },
  'X-Phone-Name': {
    description: 'The name of the phone, printable ASCII characters.',
    ...phoneText,
  },
  'X-Phone-Driver': {
    description: 'What connects the phone to a network, printable ASCII characters.',
    ...phoneText,
  },
  'X-Phone-Quiet-Until': {
    type: 'string',
    description: "The end of the phone's quiet hours; more than seven days count as seven.",
    ...utcTime,
    ...extension,
  },
  'X-Phone-Signal': {
    type: 'string',
    pattern: '^(-[0-9]{1,3} dBm|([0-9]{1,2}|100) %)$',
    description: 'The signal of the phone. Its network is what the last such request said of it.',
    ...extension,
  },
  'X-Phone-Operator': {
    type: 'string',
    description:
      "The operator of the phone's network: percent-encoded UTF-8 of at most 64 characters.",
    ...extension,
  },
  'X-Phone-Rate': {
    description: 'The maximum rate of the phone, in parts, such as `30/min, 500/d`.',
    ...phoneText,
  },
  Accept: {
    type: 'string',
    description: '`text/event-stream` for the events as a stream, `application/json` for a page.',
    ...extension,
  },
  'X-Request-Id': {
    type: 'string',
    pattern: '^[\\w.-]{1,64}$',
    description:
      'An id of the request. The reply, the body of an error and the log repeat it. The relay ' +
      'makes one if the field is missing or invalid.',
    ...extension,
  },
  'Last-Event-ID': {
    type: 'string',
    pattern: '^[0-9]{1,15}$',
    description: 'The stream goes on after the event with this sequence.',
    ...extension,
  },
} as const satisfies Record<string, JsonSchema>

export type HeaderParameter = keyof typeof headerParameters
