import { expect, test } from 'vitest'
import { readPassedSockets } from '../../../src/cli/config/passed-sockets.js'
import { isRelayError } from '../../../src/errors.js'

const pid = 4711

test.each([
  [{}, {}],
  [{ LISTEN_FDS: '1' }, {}],
  [{ LISTEN_PID: '1', LISTEN_FDS: '1' }, {}],
  [{ LISTEN_PID: '4711', LISTEN_FDS: '0' }, {}],
  [{ LISTEN_PID: '4711', LISTEN_FDS: 'x' }, {}],
  [{ LISTEN_PID: '4711', LISTEN_FDS: '1' }, { listenFd: 3 }],
  [{ LISTEN_PID: '4711', LISTEN_FDS: '1', LISTEN_FDNAMES: 'smsrelay.socket' }, { listenFd: 3 }],
  [{ LISTEN_PID: '4711', LISTEN_FDS: '1', LISTEN_FDNAMES: 'metrics' }, { metricsFd: 3 }],
  [
    { LISTEN_PID: '4711', LISTEN_FDS: '2', LISTEN_FDNAMES: 'metrics:web' },
    { listenFd: 4, metricsFd: 3 },
  ],
  [{ LISTEN_PID: '4711', LISTEN_FDS: '2', LISTEN_FDNAMES: 'notify:web' }, { listenFd: 4 }],
  [{ LISTEN_PID: '4711', LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify' }, {}],
])('%j means %j', (env, expected) => {
  expect(readPassedSockets(env, pid)).toEqual(expected)
})

test.each(['a:b', 'metrics:metrics'])('sockets with the names %s are an error', names => {
  const env = { LISTEN_PID: '4711', LISTEN_FDS: '2', LISTEN_FDNAMES: names }
  let error: unknown
  try {
    readPassedSockets(env, pid)
  } catch (thrown) {
    error = thrown
  }
  expect(isRelayError(error, 'configuration')).toBe(true)
})
