import { expect, test } from 'vitest'
import AccountCreate from '../../../commands/account/create.js'
import AccountLimit from '../../../commands/account/limit.js'
import PersonInvite from '../../../commands/person/invite.js'
import PersonList from '../../../commands/person/list.js'
import PersonRemove from '../../../commands/person/remove.js'
import PersonResetSecondFactor from '../../../commands/person/reset-second-factor.js'
import PersonSetRole from '../../../commands/person/set-role.js'
import { request } from '../../conformance/calls.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run, startSharedRelay } from '../harness.js'

const shared = startSharedRelay()
const bob = 'bob@example.com'

test('person invites, lists, changes and removes the people of a running relay', async () => {
  const data = ['--data', shared().dataDir]
  const account = ['--account', 'ann@example.com']
  const invited = await run(PersonInvite, [bob, ...account, ...data, '--json'])
  const { url, role } = JSON.parse(invited.stdout)
  expect([role, invited.code]).toEqual(['reader', 0])
  const passwords = { new_password: 'a long password', repeated: 'a long password' }
  const accepted = await request(url, 'POST', { body: new URLSearchParams(passwords) })
  expect(accepted.status).toBe(303)
  const changed = await run(PersonSetRole, [bob, 'sender', ...data])
  expect(changed.stdout).toBe('bob@example.com has the role sender now.\n')
  const listed = await run(PersonList, [...account, ...data, '-o', 'csv'])
  expect(listed.stdout).toMatch(/^bob@example\.com,sender,ann@example\.com,false,/m)
  const all = await run(PersonList, [...data, '--json'])
  expect(JSON.parse(all.stdout)).toMatchObject([{ email: bob }])
  const reset = await run(PersonResetSecondFactor, [bob, ...data])
  expect(reset.stdout).toContain('signs in with the password alone')
  const removed = await run(PersonRemove, [bob, ...data])
  expect(removed.stdout).toBe('bob@example.com is removed and signed out.\n')
  const again = await run(PersonRemove, [bob, ...data])
  expect([again.code, again.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('There is no person with the e-mail address bob@example.com.'),
  ])
})

test('an invitation without a relay that listens needs --url', async () => {
  const data = ['--data', await temporaryFolder()]
  await run(AccountCreate, ['ann@example.com', ...data])
  const argv = [bob, '--account', 'ann@example.com', '--role', 'admin', ...data]
  const refused = await run(PersonInvite, argv)
  expect(refused.stderr).toContain('--url')
  const invited = await run(PersonInvite, [...argv, '--url', 'https://sms.example.com'])
  expect(invited.stdout).toContain('https://sms.example.com/invitation/sri_')
})

test('account limit shows, sets and removes limits', async () => {
  const data = ['--data', await temporaryFolder()]
  await run(AccountCreate, ['ann@example.com', ...data])
  const limit = async (...flags: string[]) =>
    await run(AccountLimit, ['ann@example.com', ...flags, ...data])
  expect((await limit()).stdout).toMatch(/^messages a day +0, no limit$/m)
  const set = await limit('--messages-per-day', '1000', '--subscriptions', '0')
  expect(set.stdout).toMatch(/^messages a day +0, of 1,000$/m)
  expect(set.stdout).toMatch(/^subscriptions +0, of 0$/m)
  const removed = await limit('--messages-per-day', 'none')
  expect(removed.stdout).toMatch(/^messages a day +0, no limit$/m)
  const wrong = await limit('--messages-per-day', 'many')
  expect(wrong.stderr).toContain('a whole number, 0 to 100000000, or empty for no limit')
})
