import type { PhoneEvent } from '../../../phone/events/phone-events.js'
import {
  type AnyEvent,
  keptAtMost,
  type LiveMessage,
  type LiveState,
  maskedNumber,
} from './live-state.js'
import { withParts } from './parts-window.js'

type Of<Name extends PhoneEvent['event']> = Extract<PhoneEvent, { event: Name }>

type Steps = {
  readonly [Name in PhoneEvent['event']]: (
    state: LiveState,
    event: Of<Name>,
    at: number,
  ) => LiveState
}

const steps: Steps = {
  ready: (state, { driver }, at) => ({ ...state, driver, ...online(at) }),
  idle: state => ({ ...state, idle: true }),
  resumed: (state, { id, outcome }, at) => noted(state, `${id}: ${outcome}, not reported yet`, at),
  took: (state, { id, destination }, at) => {
    const { paced: _, quietUntil: __, ...rest } = state
    const message = { id, to: maskedNumber(destination), outcome: 'sending', at }
    return withMessage({ ...rest, idle: false }, message)
  },
  sent: (state, { id, parts, test }, at) => {
    const outcome = test ? 'sent (test number)' : 'sent'
    const counted = counts(state, test ? 0 : parts, at)
    const done = { ...counted, ...used(state, test, at), sent: state.sent + 1 }
    return withMessage(done, { id, outcome, parts, at })
  },
  failed: (state, { id, error, status, test }, at) => {
    const outcome = status === 'F' ? 'failed for good' : 'failed'
    const message = { id, outcome: test ? 'failed (test number)' : outcome, error, at }
    return withMessage({ ...state, ...used(state, test, at), failed: state.failed + 1 }, message)
  },
  unknown: (state, { id, error }, at) =>
    withMessage({ ...state, unknown: state.unknown + 1 }, { id, outcome: 'unknown', error, at }),
  refused: (state, { id, outcome, error }, at) =>
    withMessage(state, { id, outcome: `${outcome}, report refused`, error, at }),
  abandoned: (state, { id, outcome, error }, at) =>
    withMessage(state, { id, outcome: `${outcome}, not reported`, error, at }),
  offline: (state, { error }, at) =>
    noted({ ...state, relay: { state: 'away', since: at, error } }, error, at),
  online: (state, _, at) => ({ ...state, ...online(at) }),
  'reported-late': (state, { id, delay }, at) =>
    noted(state, `${id}: reported ${Math.round(delay / 1000)} s late`, at),
  trouble: (state, { id, error }, at) => {
    const gateway = { state: 'away', since: at, error } as const
    const troubled = noted({ ...state, gateway }, error, at)
    return id === undefined ? troubled : withMessage(troubled, { id, outcome: 'waits', at })
  },
  skipped: (state, { id, status }, at) =>
    withMessage(state, { id, outcome: `not sent: ${withdrawn(status)}`, at }),
  returned: (state, { id, reason }, at) =>
    withMessage(state, { id, outcome: 'given back', error: reason, at }),
  forwarded: state => state,
  unforwarded: (state, { from, error }, at) =>
    noted(state, `The text from ${from} was not taken: ${error}`, at),
  recovered: (state, _, at) => ({ ...state, gateway: well(at) }),
  paced: (state, { wait, limit }, at) => ({ ...state, paced: { until: at + wait, limit } }),
  quiet: (state, { until }) => ({ ...state, quietUntil: Date.parse(until) }),
  journal: (state, { error }, at) => noted(state, error, at),
  received: (state, { from, text }, at) => ({
    ...state,
    incoming: newest([...state.incoming, { at, text: `${from}: ${text}` }], keptAtMost.notes),
  }),
  reported: (state, { to, state: what }, at) => ({
    ...state,
    incoming: newest(
      [...state.incoming, { at, text: `${maskedNumber(to)}: ${what}` }],
      keptAtMost.notes,
    ),
  }),
  stopping: state => ({ ...state, stopping: true }),
}

/** The state after an event of the phone at this time, in milliseconds since the epoch; of one it does not know, a message's end. */
export function follow(state: LiveState, event: AnyEvent, at: number): LiveState {
  if (Object.hasOwn(steps, event.event)) {
    const step = steps[event.event as PhoneEvent['event']] as Steps['idle']
    return step(state, event as Of<'idle'>, at)
  }
  const { id } = event as { readonly id?: string }
  if (id === undefined || !state.messages.some(each => each.id === id)) return state
  return withMessage(state, { id, outcome: event.event, at })
}

function withdrawn(status: string | undefined): string {
  return status === undefined ? 'it is gone' : `its status is ${status}`
}

function online(at: number) {
  return { relay: well(at) }
}

/** A driver is known to work once it has answered for a text. */
function used({ gateway }: LiveState, test: boolean, at: number) {
  return test || gateway.state !== 'unknown' ? {} : { gateway: well(at) }
}

function well(at: number) {
  return { state: 'well', since: at } as const
}

function counts(state: LiveState, parts: number, at: number): LiveState {
  if (parts === 0) return state
  return {
    ...state,
    parts: state.parts + parts,
    texts: withParts(state.texts, 1, at),
    minute: withParts(state.minute, parts, at),
    rates: state.rates.map(({ rate, window }) => ({ rate, window: withParts(window, parts, at) })),
  }
}

function noted(state: LiveState, text: string, at: number): LiveState {
  return { ...state, errors: newest([...state.errors, { at, text }], keptAtMost.notes) }
}

/** Changes the message of this id where it stands, or adds it. */
function withMessage(state: LiveState, message: LiveMessage): LiveState {
  const at = state.messages.findLastIndex(each => each.id === message.id)
  if (at < 0) {
    return { ...state, messages: newest([...state.messages, message], keptAtMost.messages) }
  }
  const { to } = state.messages[at] ?? {}
  const changed = { ...(to === undefined ? {} : { to }), ...message }
  return { ...state, messages: state.messages.with(at, changed) }
}

function newest<T>(all: readonly T[], most: number): readonly T[] {
  return all.slice(-most)
}
