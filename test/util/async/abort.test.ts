import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { runWithGrace, runWithSignal } from '../../../src/util/async/abort.js'
import { createClock } from '../../../src/util/async/clock.js'

describe('runWithSignal', () => {
  it.each([0, 1])('aborts its signal with signal %i', async index => {
    const given = [new AbortController(), new AbortController()]
    const signals = given.map(each => each.signal)
    const aborted = await runWithSignal(signals, async signal => {
      given[index]?.abort()
      return signal.aborted
    })
    expect(aborted).toBe(true)
  })

  it('starts aborted if a signal is aborted', async () => {
    expect(await runWithSignal([AbortSignal.abort()], async signal => signal.aborted)).toBe(true)
  })

  it('leaves no listener on the signals, whether the work succeeds or fails', async () => {
    const { signal } = new AbortController()
    await runWithSignal([signal], async () => {})
    await expect(runWithSignal([signal], () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('runWithGrace', () => {
  it.each([false, true])('aborts after the wait (signal aborted before: %s)', async before => {
    const given = new AbortController()
    const waits: number[] = []
    const wait = async (milliseconds: number) => void waits.push(milliseconds)
    if (before) given.abort()
    await runWithGrace(given.signal, 50, wait, async late => {
      expect(late.aborted).toBe(false)
      given.abort()
      await expect.poll(() => late.aborted).toBe(true)
    })
    expect(waits).toEqual([50])
  })

  it('does not wait after the work, and leaves no listener on the signal', async () => {
    const given = new AbortController()
    const late = await runWithGrace(given.signal, 1, createClock().sleep, async signal => signal)
    expect(getEventListeners(given.signal, 'abort')).toEqual([])
    given.abort()
    expect(late.aborted).toBe(false)
  })
})
