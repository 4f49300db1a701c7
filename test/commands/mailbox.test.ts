import { describe, expect, it } from 'vitest'
import MailboxCreate from '../../commands/mailbox/create.js'
import MailboxDelete from '../../commands/mailbox/delete.js'
import MailboxList from '../../commands/mailbox/list.js'
import { run, startSharedRelay } from './harness.js'

describe('mailboxes', () => {
  const shared = startSharedRelay()

  it('create prints the key, list hides it, and delete removes the mailbox', async () => {
    const { flags } = shared()
    const made = await run(MailboxCreate, ['--name', 'cron', ...flags], shared())
    expect(made.code).toBe(0)
    const [, key = ''] = /<number>\.([a-z2-7]{32})@localhost/.exec(made.stdout) ?? []
    expect(made.stderr).toContain('--smtp-port')
    const [, id = ''] = /^id +(\S+)$/m.exec(made.stdout) ?? []
    const listed = await run(MailboxList, flags, shared())
    expect(listed.stdout).toContain(id)
    expect(listed.stdout).toContain(`<number>.${key.slice(0, 4)}…@localhost`)
    expect(listed.stdout).not.toContain(key)
    expect((await run(MailboxDelete, [id, ...flags], shared())).stdout).toContain(id)
    expect((await run(MailboxDelete, [id, ...flags], shared())).code).toBe(5)
    expect((await run(MailboxList, flags, shared())).stdout).toBe('')
  })

  it('create sends the values of all flags', async () => {
    const { flags } = shared()
    const argv = ['--alias', 'alerts', '--to', '+12025550143', '--to', '+12025550144']
    const more = ['--from', '@example.com', '--subject', 'first', '--limit', '30']
    const given = [...argv, ...more, '--max-length', '160', ...flags, '--json']
    const made = JSON.parse((await run(MailboxCreate, given, shared())).stdout)
    expect(made).toMatchObject({
      ...{ address: 'alerts@localhost', destinations: ['+12025550143', '+12025550144'] },
      ...{ senders: ['@example.com'], subject: 'first', hourly_limit: 30, max_length: 160 },
    })
    await run(MailboxDelete, [made.id, ...flags], shared())
  })

  it.each([
    ['--limit', '0'],
    ['--max-length', '1601'],
    ['--subject', 'last'],
    ['--alias', 'a'],
  ])('create with %s %s is a usage error', async (flag, value) => {
    const result = await run(MailboxCreate, [flag, value, ...shared().flags, '--json'], shared())
    expect(result.code).toBe(2)
  })

  it('create names the flag if the limit is less than the number of recipients', async () => {
    const argv = ['--to', '+12025550143', '--to', '+12025550144', '--limit', '1']
    const result = await run(MailboxCreate, [...argv, ...shared().flags], shared())
    expect(result.code).toBe(2)
    expect(result.stderr).toMatch(/--limit .*2/)
  })
})
