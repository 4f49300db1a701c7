import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import { getMessageId, openReceiver } from '../../conformance/receiver.js'
import { run, start } from '../harness.js'
import { openListening } from './listen-rig.js'

function createTerminal() {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  })
  return { stdin, modes }
}

describe('the keys of hook listen', () => {
  it('r sends the last webhook again, d shows it in full, and q ends', async () => {
    const { send, given, fixture } = await openListening()
    const receiver = await openReceiver()
    const { stdin, modes } = createTerminal()
    const argv = ['--stream', '--forward-to', receiver.url, '--post', '--from', '1']
    const listening = start(HookListen, [...argv, ...fixture.flags], { ...given, input: stdin })
    await listening.waitForOutput('Ready')
    const id = await send()
    await listening.waitForOutput('→ 204 ')
    stdin.write('r')
    await listening.waitForOutput('replayed')
    expect([await receiver.next(), await receiver.next()].map(getMessageId)).toEqual([id, id])
    stdin.write('xd')
    await listening.waitForOutput('webhook-id: evt_1_')
    stdin.write('q')
    expect((await listening.ended).code).toBe(0)
    expect(modes).toEqual([true, false])
  })

  it('r sends a forwarded webhook again in port mode', async () => {
    const { send, given, fixture } = await openListening()
    const receiver = await openReceiver()
    const { stdin } = createTerminal()
    const argv = ['--forward-to', receiver.url, '--post', '--events', 'message.create']
    const listening = start(HookListen, [...argv, ...fixture.flags], { ...given, input: stdin })
    await listening.waitForOutput('Ready')
    const id = await send()
    await listening.waitForOutput('→ 204 ')
    stdin.write('r')
    await listening.waitForOutput('replayed')
    expect([await receiver.next(), await receiver.next()].map(getMessageId)).toEqual([id, id])
    stdin.write('q')
    expect((await listening.ended).code).toBe(0)
  })

  it('Ctrl-C ends with 130 and restores the terminal', async () => {
    const { given, fixture } = await openListening()
    const { stdin, modes } = createTerminal()
    const argv = ['--stream', '--count', '1', ...fixture.flags]
    const listening = start(HookListen, argv, { ...given, input: stdin })
    await listening.waitForOutput('Ready')
    stdin.write('\u0003')
    expect((await listening.ended).code).toBe(130)
    expect(modes).toEqual([true, false])
  })
})

describe('flags of hook listen that are a usage error', () => {
  it.each([
    [['--stream', '--port', '0'], '--stream', '--port'],
    [['--from', '1', '--port', '0'], '--from', '--port'],
    [['--stream', '--retry', '1'], '--retry', '--forward-to'],
    [['--stream', '--from', 'failed'], '--from failed', '--forward-to'],
    [['--stream', '--from', 'then'], '--from', '"then"'],
    [['--stream', '--from', '-1001'], '--from', '"-1001"'],
    [['--expect', '2xx'], '--expect', '--forward-to'],
    [['--forward-to', '1', '--expect', '6xx'], '--expect', '"6xx"'],
    [['--forward-to', 'ftp://x'], '--forward-to', '"ftp://x"'],
    [['--forward-to', '1', '--respond', '200'], '--respond', '--forward-to'],
    [['--forward-to', '1', '-H', 'no field'], '-H', "'no field'"],
    [['--forward-to', '1', '-H', 'Ab: b\nc: d'], '-H', 'Ab'],
    [['--forward-to', '1', '-H', 'Content-Length: 5'], '-H', 'Content-Length'],
    [['--forward-to', '1', '-H', 'a: 1', '-H', 'A: 2'], '-H', 'twice'],
    [['--respond', '99'], '--respond', '599'],
    [['--stream', '--save', 'x'], '--save', '--forward-to'],
    [['--skip-verify'], '--skip-verify', '--forward-to'],
    [['--forward-to', 'http://x', '--skip-verify'], '--skip-verify', '"http://x"'],
  ])('%j: the error names %s and %s', async (argv, flag, value) => {
    const keys = ['--url', 'http://127.0.0.1:9', '--secret-key', 'a', '--api-key', 'b']
    const ran = await run(HookListen, [...argv, ...keys, '--json'])
    expect(ran.code).toBe(2)
    const { code, message } = JSON.parse(ran.stdout).error
    expect(code).toBe('usage')
    expect(message).toContain(flag)
    expect(message).toContain(value)
  })

  it.each([
    [['--until', 'message.nope'], 'message.nope'],
    [['--events', 'message.sent', '--until', 'message.create'], 'message.create'],
  ])('%j: the error names --until and %s', async (argv, event) => {
    const { listen } = await openListening()
    const ran = await listen(...argv).ended
    expect(ran.code).toBe(2)
    const { code, message } = JSON.parse(ran.stdout).error
    expect(code).toBe('usage')
    expect(message).toContain('--until')
    expect(message).toContain(event)
  })
})
