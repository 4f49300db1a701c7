import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Interrupted, listenForInterruption } from '../../../src/cli/terminal/interruption.js'
import { testIo } from '../streams.js'

describe('listenForInterruption', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s aborts', name => {
    const io = testIo()
    const { signal } = listenForInterruption(io)
    io.signals.emit(name)
    expect(signal.reason).toBeInstanceOf(Interrupted)
    expect(io.forced).toEqual([])
  })

  it('ends the process at the second signal', () => {
    const io = testIo()
    listenForInterruption(io)
    io.signals.emit('SIGINT')
    io.signals.emit('SIGTERM')
    expect(io.forced).toEqual([130])
  })

  it('ignores a repetition of the signal', () => {
    const io = testIo({ step: 0 })
    const { signal } = listenForInterruption(io)
    io.signals.emit('SIGINT')
    io.signals.emit('SIGINT')
    expect(signal.aborted).toBe(true)
    expect(io.forced).toEqual([])
  })

  it('ignores a repetition that a busy event loop delivers late', async () => {
    const io = testIo({ step: 0 })
    let now = 0
    const clock = { ...io.clock, monotonic: () => now }
    listenForInterruption({ ...io, clock })
    io.signals.emit('SIGTERM')
    now += 2000
    await nextTurn()
    io.signals.emit('SIGTERM')
    expect(io.forced).toEqual([])
    await nextTurn()
    now += 300
    io.signals.emit('SIGTERM')
    expect(io.forced).toEqual([130])
  })

  it('passes the second signal to a command that uses force; the third ends the process', () => {
    const io = testIo()
    const { force } = listenForInterruption(io)
    io.signals.emit('SIGINT')
    expect(force.aborted).toBe(false)
    io.signals.emit('SIGINT')
    expect(force.aborted).toBe(true)
    expect(io.forced).toEqual([])
    io.signals.emit('SIGINT')
    expect(io.forced).toEqual([130])
  })

  it('aborts when the reader of stdout closes the pipe', () => {
    const io = testIo()
    const { signal } = listenForInterruption(io)
    io.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(signal.aborted).toBe(true)
    expect(signal.reason).not.toBeInstanceOf(Interrupted)
  })

  it('removes its listeners when it is disposed', () => {
    const io = testIo()
    listenForInterruption(io).dispose()
    expect(io.signals.eventNames()).toEqual([])
    expect(io.stdout.listenerCount('error')).toBe(0)
  })
})
