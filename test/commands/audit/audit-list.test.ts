import { describe, expect, it } from 'vitest'
import AuditList from '../../../commands/audit/list.js'
import MailboxCreate from '../../../commands/mailbox/create.js'
import { run, startSharedRelay } from '../harness.js'

describe('the audit log', () => {
  const shared = startSharedRelay()

  it('list prints who did what, with filters and the next page', async () => {
    const { flags } = shared()
    for (const name of ['one', 'two', 'three'])
      await run(MailboxCreate, ['--name', name, ...flags], shared())
    const list = async (...given: string[]) => await run(AuditList, [...given, ...flags], shared())
    const { code, stdout, stderr } = await list('--action', 'mailbox', '--count', '2')
    expect([code, stdout.match(/mailbox\.create/g)?.length]).toEqual([0, 2])
    expect(stdout).toContain('API key')
    const [, last = ''] = /More: --before (\S+)/.exec(stderr) ?? []
    const next = await list('--action', 'mailbox', '--before', last, '-o', 'json')
    expect(JSON.parse(next.stdout)).toMatchObject([{ target: { kind: 'mailbox', name: 'one' } }])
    expect((await list('--actor', 'nobody', '--since', '1d')).stdout).toBe('')
    expect((await list('--since', 'yesterday')).code).toBe(2)
    expect((await list('--account', 'nobody@example.com')).code).toBe(5)
  })
})
