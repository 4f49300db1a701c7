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

  it('takes a signal that is sent twice at once for one wish', () => {
    const io = testIo({ step: 0 })
    const { signal } = listenForInterruption(io)
    io.signals.emit('SIGINT')
    io.signals.emit('SIGINT')
    expect(signal.aborted).toBe(true)
    expect(io.forced).toEqual([])
  })

  it('gives a command that asks for it the second signal, and ends the process at the third', () => {
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

  it('aborts when nobody reads stdout any more', () => {
    const io = testIo()
    const { signal } = listenForInterruption(io)
    io.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(signal.aborted).toBe(true)
    expect(signal.reason).not.toBeInstanceOf(Interrupted)
  })

  it('leaves nothing behind', () => {
    const io = testIo()
    listenForInterruption(io).dispose()
    expect(io.signals.eventNames()).toEqual([])
    expect(io.stdout.listenerCount('error')).toBe(0)
  })
})
