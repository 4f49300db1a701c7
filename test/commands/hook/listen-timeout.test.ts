import { expect, it } from 'vitest'
import { FakeClock } from '../../util/async/fake-clock.js'
import { openListening, openSilentServer, parseEvents } from './listen-rig.js'

it('an app that is too slow or not running is reported as an attempt', async () => {
  const { send, listen } = await openListening()
  await send()
  const silent = await openSilentServer()
  const argv = ['--stream', '--retry', '0', '--count', '1', '--from', '1']
  const late = await listen(...argv, '--forward-to', silent.url, '--timeout', '50ms').ended
  const error = expect.stringContaining('50 ms')
  expect(parseEvents(late)[2]).toMatchObject({ type: 'attempt', status: null, ok: false, error })
  const refused = await listen(...argv, '--forward-to', 'http://127.0.0.1:1').ended
  expect(parseEvents(refused)[2]).toMatchObject({ type: 'attempt', status: null, ok: false })
})

it('with --timeout 0 a response may take any time', async () => {
  const clock = new FakeClock()
  const { send, listen } = await openListening({ clock })
  await send()
  const silent = await openSilentServer()
  const argv = ['--stream', '--from', '1', '--forward-to', silent.url, '--timeout', '0']
  const listening = listen(...argv, '--max-wait', '1h')
  await silent.connected
  clock.advance(3_600_000)
  const lines = parseEvents(await listening.ended)
  expect(lines.map(({ type }) => type)).toEqual(['ready', 'event', 'end'])
})
