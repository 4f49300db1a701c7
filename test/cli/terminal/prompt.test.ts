import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Interrupted } from '../../../src/cli/terminal/interruption.js'
import { ask, canAsk, confirm, requireValue } from '../../../src/cli/terminal/prompt.js'
import { type TestIo, testIo } from '../streams.js'

const question = { name: 'ID', message: 'Identifier' }

describe('requireValue', () => {
  it('returns a given value, also an empty one', async () => {
    expect(await requireValue('', question, testIo(), false)).toBe('')
  })

  it.each([
    ['without a terminal', false, false],
    ['with --json', true, true],
  ])('names the missing value %s', async (_, tty, json) => {
    const missing = requireValue(undefined, question, testIo({ tty }), json)
    await expect(missing).rejects.toMatchObject({ code: 'usage' })
    await expect(missing).rejects.toThrow('ID')
  })

  it('asks on stderr if both ends are terminals', async () => {
    const io = testIo({ tty: true })
    const answer = requireValue(undefined, question, io, false)
    await type(io, 'abc\r')
    expect(await answer).toBe('abc')
    expect(io.err()).toContain('Identifier')
    expect(io.out()).toBe('')
  })
})

describe('ask', () => {
  it('does not show a secret', async () => {
    const io = testIo({ tty: true })
    const answer = ask({ ...question, secret: true }, io)
    await type(io, 's3cret\r')
    expect(await answer).toBe('s3cret')
    expect(io.err()).not.toContain('s3cret')
  })

  it('is interrupted by Ctrl-C', async () => {
    const io = testIo({ tty: true })
    const [answer] = await Promise.allSettled([ask(question, io), type(io, '\u0003')])
    expect(answer).toMatchObject({ reason: expect.any(Interrupted) })
  })
})

describe('confirm', () => {
  it.each([
    ['\r', false],
    ['y\r', true],
    ['n\r', false],
  ])('%j is %s', async (keys, sure) => {
    const io = testIo({ tty: true })
    const answer = confirm('Sure?', io)
    await type(io, keys)
    expect(await answer).toBe(sure)
  })
})

describe('canAsk', () => {
  it('needs a terminal at both ends', () => {
    const io = testIo({ tty: true })
    expect(canAsk(io, false)).toBe(true)
    expect(canAsk({ ...io, stderr: testIo().stderr }, false)).toBe(false)
    expect(canAsk({ ...io, stdin: testIo().stdin }, false)).toBe(false)
  })
})

/** Types once the question is shown. */
async function type(io: TestIo, keys: string): Promise<void> {
  if (io.err() === '') await once(io.stderr, 'written')
  io.stdin.write(keys)
}
