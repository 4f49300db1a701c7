import { describe, expect, it } from 'vitest'
import MessageGet from '../../../commands/message/get.js'
import MessageList from '../../../commands/message/list.js'
import MessageRetry from '../../../commands/message/retry.js'
import { run, startRelay } from '../harness.js'
import { send, settle } from './message-rig.js'

describe('message list', () => {
  it('prints messages as an array', async () => {
    const fixture = await startRelay()
    await send(fixture, '5551212', 'one')
    await send(fixture, '5551212', 'two')
    const argv = ['--order', 'asc', '--count', '1', '--start', '1', ...fixture.flags, '--json']
    const result = await run(MessageList, argv, fixture)
    expect(result.code).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject([{ message: 'two' }])
  })

  it('prints an empty array with --json, and nothing on stdout without it', async () => {
    const fixture = await startRelay()
    expect((await run(MessageList, [...fixture.flags, '--json'], fixture)).stdout).toBe('[]\n')
    const result = await run(MessageList, fixture.flags, fixture)
    expect(result).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^.+\n$/) })
  })

  it('prints the reasons, finds messages by them, and says where more are', async () => {
    const fixture = await startRelay()
    const error = 'The modem answered +CMS ERROR: 28 (unidentified subscriber).'
    for (const text of ['one', 'two', 'three']) {
      await send(fixture, '+12025550143', text)
      await settle(fixture, async (phone, id) => {
        await phone.messages.reportFailure(id, { error_message: error })
      })
    }
    const list = async (...argv: string[]) =>
      await run(MessageList, [...argv, ...fixture.flags], fixture)
    const found = await list('--state', 'error', '--since', '1h', '--to', '(202) 555-0143')
    expect(found.stdout.match(/ The number is not in service\./g)).toHaveLength(3)
    expect((await list('--reason', 'cms error: 28', '-q')).stdout.split('\n')).toHaveLength(4)
    expect((await list('--until', '1h', '--json')).stdout).toBe('[]\n')
    const argv = ['--reason', '28', '--count', '2', '--order', 'asc', '--columns', 'message']
    expect(await list(...argv)).toMatchObject({
      stdout: expect.stringMatching(/one\ntwo\n$/),
      stderr: expect.stringContaining('More: --start 2'),
    })
    expect((await list(...argv, '--start', '2')).stdout).toMatch(/\nthree\n$/)
    expect((await list('--to', 'nobody')).code).toBe(1)
  })

  it('removes escape sequences from a text', async () => {
    const fixture = await startRelay()
    await send(fixture, '5551212', 'a\u001b[2Jb\u0007\nc')
    const result = await run(MessageList, fixture.flags, fixture)
    expect(result.stdout.split('\n')).toHaveLength(3)
    expect(result.stdout).toContain('ab c')
  })
})

describe('a message in error', () => {
  it('retry of several ids goes on after one that cannot be tried again', async () => {
    const fixture = await startRelay()
    const [first, sent, last] = await Promise.all(
      [1, 2, 3].map(async n => (await send(fixture, `+1202555014${n}`, 'hi')).id),
    )
    for (const _ of [1, 2, 3]) {
      await settle(fixture, async (phone, id) => {
        if (id === sent) await phone.messages.reportSuccess(id, { parts: 1 })
        else await phone.messages.reportFailure(id, { error_message: 'busy' })
      })
    }
    const ids = [first, sent, last] as string[]
    const { code, stdout, stderr } = await run(MessageRetry, [...ids, ...fixture.flags], fixture)
    expect(stdout.match(/^id +(\S+)$/gm)).toHaveLength(2)
    expect(stderr).toContain('1 of 3 messages cannot be tried again.')
    expect(stderr).toContain(`${sent}: `)
    expect(code).toBe(1)
  })

  it('get prints each attempt with its reason, and retry makes the next one due', async () => {
    const fixture = await startRelay()
    const { id } = await send(fixture, '+12025550143', 'hi')
    await settle(fixture, async phone => {
      await phone.messages.reportFailure(id, { error_message: 'RESULT_ERROR_NO_SERVICE' })
    })
    const { stdout } = await run(MessageGet, [id, ...fixture.flags], fixture)
    expect(stdout).toMatch(
      /^attempts +\S+ \S+ UTC, failed, claimed .* UTC: The modem has no network\. \(RESULT_\w+\)$/m,
    )
    const retried = await run(MessageRetry, [id, ...fixture.flags, '--json'], fixture)
    expect(JSON.parse(retried.stdout)).toMatchObject({ id, status: 'E' })
    await settle(fixture, async (phone, due) => {
      expect(due).toBe(id)
      await phone.messages.reportSuccess(due, { parts: 1 })
    })
  })
})
