import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import MessageList from '../../commands/message/list.js'
import UrlCreate from '../../commands/url/create.js'
import UrlList from '../../commands/url/list.js'
import UrlRevoke from '../../commands/url/revoke.js'
import { run, startSharedRelay } from './harness.js'

const runFile = promisify(execFile)
const hasCurl = await runFile('curl', ['--version']).then(
  () => true,
  () => false,
)

describe('url', () => {
  const shared = startSharedRelay()
  const create = async (...argv: string[]) =>
    await run(UrlCreate, [...argv, ...shared().flags], shared())
  const list = async (...argv: string[]) =>
    await run(UrlList, [...argv, ...shared().flags], shared())

  it('creates, lists and revokes secret URLs', async () => {
    const terms = [
      '--name',
      'door',
      '--to',
      '+12025550123',
      '--to',
      '5551212',
      '--text',
      'At {front}',
    ]
    const made = await create(...terms, '--rate', '10/h', '--expires', '30d', '--confirm', '--json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const { url, ...known } = JSON.parse(made.stdout)
    expect(known).toMatchObject({
      ...{ name: 'door', destination: ['+12025550123', '5551212'], message: 'At {front}' },
      ...{ rate: '10/h', confirm: true, state: 'active', used_count: 0, last_used_on: null },
    })
    const ends = Date.parse(`${known.expires_on}Z`) - Date.parse(`${known.created_on}Z`)
    expect(ends).toBe(30 * 24 * 60 * 60 * 1000)
    expect(JSON.parse((await list('--json')).stdout)).toEqual([known])
    const table = await list()
    for (const cell of [known.id, 'door', '10/h', known.expires_on])
      expect(table.stdout).toContain(cell)
    expect(table.stdout).not.toContain(url.split('/').at(-1))
    const revoked = await run(UrlRevoke, [known.id, ...shared().flags], shared())
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining(known.id) })
    expect(await list()).toMatchObject({ code: 0, stdout: '' })
  })

  it.skipIf(!hasCurl).each([
    { terms: [], text: 'Hello', to: '+12025550123' },
    {
      terms: ['--to', '+12025550124', '--text', '{a.b}, {c}'],
      text: 'VALUE, VALUE',
      to: '+12025550124',
    },
    {
      terms: ['--to', '+12025550125', '--text', 'Ring', '--confirm'],
      text: 'Ring',
      to: '+12025550125',
    },
    {
      terms: ['--text', '{destination} {message}'],
      text: '+12025550123 Hello',
      to: '+12025550123',
    },
  ])('prints a curl command that works for $terms', async ({ terms, text, to }) => {
    const made = await create(...terms)
    const line = /^curl +(curl .*)$/m.exec(made.stdout)?.[1] ?? ''
    const { stdout } = await runFile('sh', ['-c', `${line} -sf`])
    const messages = await run(MessageList, ['--json', ...shared().flags], shared())
    const sent = JSON.parse(messages.stdout).find(
      (each: { id: string }) => each.id === JSON.parse(stdout).message.id,
    )
    expect(sent).toMatchObject({ destination: to, message: text, source: 'url' })
  })

  it.each([
    [['--rate', '10'], 2],
    [['--expires', 'tomorrow'], 2],
    [['--expires', '0d'], 2],
    [['--expires', '2001-01-01 00:00:00'], 1],
    [['--to', 'abc'], 1],
    [['--text', 'a { b'], 2],
  ])('rejects %j', async (argv, code) => {
    const before = (await list('--json')).stdout
    const result = await create(...argv, '--json')
    expect(result.code).toBe(code)
    expect(JSON.parse(result.stdout).error.message).toMatch(/`\w+`|--\w+/)
    expect((await list('--json')).stdout).toBe(before)
  })

  it('exits with 5 if the secret URL does not exist', async () => {
    const result = await run(UrlRevoke, ['nothing', '--json', ...shared().flags], shared())
    expect(result.code).toBe(5)
    expect(JSON.parse(result.stdout).error.code).toBe('not_found')
  })
})
