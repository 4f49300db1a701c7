import type { PhoneEvent } from '../../../phone/events/phone-events.js'
import {
  type AnyEvent,
  addParts,
  type LiveMessage,
  type LiveNote,
  type LiveState,
  maskNumber,
  maxEntries,
} from './live-state.js'

type EventNamed<Name extends PhoneEvent['event']> = Extract<PhoneEvent, { event: Name }>

type Reducers = {
  readonly [Name in PhoneEvent['event']]: (
    state: LiveState,
    event: EventNamed<Name>,
    at: number,
  ) => LiveState
}

const reducers: Reducers = {
  ready: (state, { driver }, at) => ({ ...state, driver, relayStatus: createUp(at) }),
  idle: state => ({ ...state, isIdle: true }),
  resumed: (state, { id, outcome }, at) =>
    addError(state, `${id}: ${outcome}, not reported yet`, at),
  took: (state, { id, destination }, at) => {
    const { rateLimit: _, quietUntil: __, ...rest } = state
    const message = { id, to: maskNumber(destination), outcome: 'sending', at }
    return updateMessage({ ...rest, isIdle: false }, message)
  },
  sent: (state, { id, parts, test }, at) => {
    const outcome = test ? 'sent (test number)' : 'sent'
    const counted = addSentParts(setDriverUsed(state, test, at), test ? 0 : parts, at)
    return updateMessage({ ...counted, sent: state.sent + 1 }, { id, outcome, parts, at })
  },
  failed: (state, { id, error, status, test }, at) => {
    const outcome = status === 'F' ? 'failed finally' : 'failed'
    const message = { id, outcome: test ? 'failed (test number)' : outcome, error, at }
    return updateMessage({ ...setDriverUsed(state, test, at), failed: state.failed + 1 }, message)
  },
  unknown: (state, { id, error }, at) =>
    updateMessage({ ...state, unknown: state.unknown + 1 }, { id, outcome: 'unknown', error, at }),
  refused: (state, { id, outcome, error }, at) =>
    updateMessage(state, { id, outcome: `${outcome}, report rejected`, error, at }),
  abandoned: (state, { id, outcome, error }, at) =>
    updateMessage(state, { id, outcome: `${outcome}, not reported`, error, at }),
  offline: (state, { error }, at) =>
    addError({ ...state, relayStatus: { state: 'down', since: at, error } }, error, at),
  online: (state, _, at) => ({ ...state, relayStatus: createUp(at) }),
  'reported-late': (state, { id, delay }, at) =>
    addError(state, `${id}: reported ${Math.round(delay / 1000)} s late`, at),
  trouble: (state, { id, error }, at) => {
    const driverStatus = { state: 'down', since: at, error } as const
    const changed = addError({ ...state, driverStatus }, error, at)
    return id === undefined ? changed : updateMessage(changed, { id, outcome: 'waits', at })
  },
  skipped: (state, { id, status }, at) => {
    const reason = status === undefined ? 'deleted' : `status ${status}`
    return updateMessage(state, { id, outcome: `not sent: ${reason}`, at })
  },
  returned: (state, { id, reason }, at) =>
    updateMessage(state, { id, outcome: 'released', error: reason, at }),
  forwarded: state => state,
  unforwarded: (state, { from, error }, at) =>
    addError(state, `The relay rejected the text from ${from}: ${error}`, at),
  recovered: (state, _, at) => ({ ...state, driverStatus: createUp(at) }),
  paced: (state, { wait, limit }, at) => ({ ...state, rateLimit: { until: at + wait, limit } }),
  quiet: (state, { until }) => ({ ...state, quietUntil: Date.parse(until) }),
  journal: (state, { error }, at) => addError(state, error, at),
  listening: state => state,
  webhook: (state, { error }, at) => addError(state, error, at),
  received: (state, { from, text }, at) => addReceived(state, { at, text: `${from}: ${text}` }),
  undecodable: (state, { hex, error, line }, at) => {
    const driver = line === undefined ? '' : `${line}: `
    return addError(state, `${driver}${error} It stays on the modem: ${hex}`, at)
  },
  reported: (state, { to, state: receipt }, at) =>
    addReceived(state, { at, text: `${maskNumber(to)}: ${receipt}` }),
  'receipt-dropped': (state, { to, error }, at) =>
    addError(state, `Receipt for ${maskNumber(to)}: ${error}`, at),
  stopping: state => ({ ...state, isStopping: true }),
}

/** State of the terminal's live view after a phone event; `at` in milliseconds since the epoch. */
export function applyEvent(state: LiveState, event: AnyEvent, at: number): LiveState {
  if (Object.hasOwn(reducers, event.event)) {
    const reduce = reducers[event.event as PhoneEvent['event']] as Reducers['idle']
    return reduce(state, event as EventNamed<'idle'>, at)
  }
  // The terminal's live view shows the name of an unknown phone event as the outcome of its
  // message.
  const { id } = event as { readonly id?: string }
  if (id === undefined || !state.messages.some(each => each.id === id)) return state
  return updateMessage(state, { id, outcome: event.event, at })
}

/** The terminal's live view shows a driver as working once it has given a result. */
function setDriverUsed(state: LiveState, isTest: boolean, at: number): LiveState {
  if (isTest || state.driverStatus.state !== 'unknown') return state
  return { ...state, driverStatus: createUp(at) }
}

function createUp(at: number) {
  return { state: 'up', since: at } as const
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
  return { ...state, errors: [...state.errors, { at, text }].slice(-maxEntries.notes) }
}

function addReceived(state: LiveState, note: LiveNote): LiveState {
  return { ...state, received: [...state.received, note].slice(-maxEntries.notes) }
}

function updateMessage(state: LiveState, message: LiveMessage): LiveState {
  const at = state.messages.findLastIndex(each => each.id === message.id)
  if (at < 0) {
    return { ...state, messages: [...state.messages, message].slice(-maxEntries.messages) }
  }
  const { to } = state.messages[at] ?? {}
  const changed = { ...(to === undefined ? {} : { to }), ...message }
  return { ...state, messages: state.messages.with(at, changed) }
}
