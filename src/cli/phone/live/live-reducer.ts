import type { PhoneEvent } from '../../../phone/events/phone-events.js'
import {
  type AnyEvent,
  type LiveMessage,
  type LiveState,
  maskNumber,
  maxEntries,
} from './live-state.js'
import { addParts } from './parts-window.js'

type EventNamed<Name extends PhoneEvent['event']> = Extract<PhoneEvent, { event: Name }>

type Reducers = {
  readonly [Name in PhoneEvent['event']]: (
    state: LiveState,
    event: EventNamed<Name>,
    at: number,
  ) => LiveState
}

const reducers: Reducers = {
  ready: (state, { driver }, at) => ({ ...state, driver, ...createOnline(at) }),
  idle: state => ({ ...state, idle: true }),
  resumed: (state, { id, outcome }, at) =>
    addError(state, `${id}: ${outcome}, not reported yet`, at),
  took: (state, { id, destination }, at) => {
    const { paced: _, quietUntil: __, ...rest } = state
    const message = { id, to: maskNumber(destination), outcome: 'sending', at }
    return updateMessage({ ...rest, idle: false }, message)
  },
  sent: (state, { id, parts, test }, at) => {
    const outcome = test ? 'sent (test number)' : 'sent'
    const counted = addSentParts(state, test ? 0 : parts, at)
    const done = { ...counted, ...createDriverUsed(state, test, at), sent: state.sent + 1 }
    return updateMessage(done, { id, outcome, parts, at })
  },
  failed: (state, { id, error, status, test }, at) => {
    const outcome = status === 'F' ? 'failed for good' : 'failed'
    const message = { id, outcome: test ? 'failed (test number)' : outcome, error, at }
    return updateMessage(
      { ...state, ...createDriverUsed(state, test, at), failed: state.failed + 1 },
      message,
    )
  },
  unknown: (state, { id, error }, at) =>
    updateMessage({ ...state, unknown: state.unknown + 1 }, { id, outcome: 'unknown', error, at }),
  refused: (state, { id, outcome, error }, at) =>
    updateMessage(state, { id, outcome: `${outcome}, report refused`, error, at }),
  abandoned: (state, { id, outcome, error }, at) =>
    updateMessage(state, { id, outcome: `${outcome}, not reported`, error, at }),
  offline: (state, { error }, at) =>
    addError({ ...state, relay: { state: 'away', since: at, error } }, error, at),
  online: (state, _, at) => ({ ...state, ...createOnline(at) }),
  'reported-late': (state, { id, delay }, at) =>
    addError(state, `${id}: reported ${Math.round(delay / 1000)} s late`, at),
  trouble: (state, { id, error }, at) => {
    const gateway = { state: 'away', since: at, error } as const
    const troubled = addError({ ...state, gateway }, error, at)
    return id === undefined ? troubled : updateMessage(troubled, { id, outcome: 'waits', at })
  },
  skipped: (state, { id, status }, at) =>
    updateMessage(state, { id, outcome: `not sent: ${describeStatus(status)}`, at }),
  returned: (state, { id, reason }, at) =>
    updateMessage(state, { id, outcome: 'given back', error: reason, at }),
  forwarded: state => state,
  unforwarded: (state, { from, error }, at) =>
    addError(state, `The text from ${from} was not taken: ${error}`, at),
  recovered: (state, _, at) => ({ ...state, gateway: createWorking(at) }),
  paced: (state, { wait, limit }, at) => ({ ...state, paced: { until: at + wait, limit } }),
  quiet: (state, { until }) => ({ ...state, quietUntil: Date.parse(until) }),
  journal: (state, { error }, at) => addError(state, error, at),
  received: (state, { from, text }, at) => ({
    ...state,
    incoming: takeNewest([...state.incoming, { at, text: `${from}: ${text}` }], maxEntries.notes),
  }),
  reported: (state, { to, state: what }, at) => ({
    ...state,
    incoming: takeNewest(
      [...state.incoming, { at, text: `${maskNumber(to)}: ${what}` }],
      maxEntries.notes,
    ),
  }),
  stopping: state => ({ ...state, stopping: true }),
}

/** The state after an event of the phone at this time, in milliseconds since the epoch; of one it does not know, a message's end. */
export function applyEvent(state: LiveState, event: AnyEvent, at: number): LiveState {
  if (Object.hasOwn(reducers, event.event)) {
    const step = reducers[event.event as PhoneEvent['event']] as Reducers['idle']
    return step(state, event as EventNamed<'idle'>, at)
  }
  const { id } = event as { readonly id?: string }
  if (id === undefined || !state.messages.some(each => each.id === id)) return state
  return updateMessage(state, { id, outcome: event.event, at })
}

function describeStatus(status: string | undefined): string {
  return status === undefined ? 'it is gone' : `its status is ${status}`
}

function createOnline(at: number) {
  return { relay: createWorking(at) }
}

/** A driver is known to work once it has answered for a text. */
function createDriverUsed({ gateway }: LiveState, test: boolean, at: number) {
  return test || gateway.state !== 'unknown' ? {} : { gateway: createWorking(at) }
}

function createWorking(at: number) {
  return { state: 'well', since: at } as const
}

function addSentParts(state: LiveState, parts: number, at: number): LiveState {
  if (parts === 0) return state
  return {
    ...state,
    parts: state.parts + parts,
    texts: addParts(state.texts, 1, at),
    minute: addParts(state.minute, parts, at),
    rates: state.rates.map(({ rate, window }) => ({ rate, window: addParts(window, parts, at) })),
  }
}

function addError(state: LiveState, text: string, at: number): LiveState {
  return { ...state, errors: takeNewest([...state.errors, { at, text }], maxEntries.notes) }
}

/** Changes the message of this id where it stands, or adds it. */
function updateMessage(state: LiveState, message: LiveMessage): LiveState {
  const at = state.messages.findLastIndex(each => each.id === message.id)
  if (at < 0) {
    return { ...state, messages: takeNewest([...state.messages, message], maxEntries.messages) }
  }
  const { to } = state.messages[at] ?? {}
  const changed = { ...(to === undefined ? {} : { to }), ...message }
  return { ...state, messages: state.messages.with(at, changed) }
}

function takeNewest<T>(all: readonly T[], most: number): readonly T[] {
  return all.slice(-most)
}
