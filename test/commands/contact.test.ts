import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import ContactAdd from '../../commands/contact/add.js'
import ContactDelete from '../../commands/contact/delete.js'
import ContactEdit from '../../commands/contact/edit.js'
import ContactExport from '../../commands/contact/export.js'
import ContactImport from '../../commands/contact/import.js'
import ContactList from '../../commands/contact/list.js'
import GroupAddMembers from '../../commands/group/add-members.js'
import GroupCreate from '../../commands/group/create.js'
import GroupDelete from '../../commands/group/delete.js'
import GroupList from '../../commands/group/list.js'
import GroupRemoveMembers from '../../commands/group/remove-members.js'
import GroupRename from '../../commands/group/rename.js'
import MessageList from '../../commands/message/list.js'
import MessageSend from '../../commands/message/send.js'
import TemplateCreate from '../../commands/template/create.js'
import TemplateDelete from '../../commands/template/delete.js'
import TemplateList from '../../commands/template/list.js'
import { temporaryFolder } from '../temporary-folder.js'
import { run, startRelay } from './harness.js'

const rows =
  'phone,name,groups,city\n+12025550123,@Ann,"Customers; VIP",Köln\n+12025550124,Bob,Customers,\n'

async function start() {
  const fixture = await startRelay()
  const file = join(await temporaryFolder(), 'contacts.csv')
  const { flags } = fixture
  const call = async (command: Parameters<typeof run>[0], ...argv: string[]) =>
    await run(command, [...argv, ...flags], fixture)
  const importRows = async (content: string, ...argv: string[]) => {
    await writeFile(file, content)
    return await call(ContactImport, file, ...argv)
  }
  return { fixture, call, importRows }
}

it('imports, lists, exports and deletes contacts, groups and templates', async () => {
  const { call, importRows } = await start()
  const dry = await importRows(rows, '--dry-run')
  expect(dry.stdout).toBe('An import would give: 2 added, 0 changed, 0 unchanged.\n')
  const wrong = await importRows(`${rows}nobody,Cy,,\n`)
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain('Line 4: ')
  expect((await call(ContactList, '--json')).stdout).toBe('[]\n')
  const imported = await importRows(`${rows}nobody,Cy,,\n`, '--skip-invalid')
  expect(imported).toMatchObject({
    code: 0,
    stdout: '2 added, 0 changed, 0 unchanged, 1 invalid.\n',
  })
  const { stdout } = await call(ContactExport)
  expect(stdout).toBe(
    "number,name,groups,city\r\n+12025550123,'@Ann,Customers; VIP,Köln\r\n" +
      '+12025550124,Bob,Customers,\r\n',
  )
  expect((await importRows(stdout)).stdout).toBe('0 added, 0 changed, 2 unchanged.\n')
  const found = JSON.parse((await call(ContactList, '--group', 'vip', '--json')).stdout)
  expect(found).toMatchObject([{ number: '+12025550123', name: '@Ann', fields: { city: 'Köln' } }])
  const groups = JSON.parse((await call(GroupList, '--json')).stdout)
  expect(groups).toMatchObject([
    { name: 'Customers', members: 2 },
    { name: 'VIP', members: 1 },
  ])
  expect((await call(GroupDelete, groups[1].id)).stdout).toBe(`Deleted ${groups[1].id}.\n`)
  expect((await call(ContactDelete, '+12025550124')).code).toBe(0)
  expect(JSON.parse((await call(ContactList, '--json')).stdout)).toMatchObject([
    { groups: ['Customers'] },
  ])
  const { id } = JSON.parse((await call(TemplateCreate, 'Hi', 'Hi {name}', '--json')).stdout)
  expect(JSON.parse((await call(TemplateList, '--json')).stdout)).toMatchObject([
    { id, name: 'Hi' },
  ])
  expect((await call(TemplateDelete, id)).code).toBe(0)
  expect((await call(TemplateList, '--json')).stdout).toBe('[]\n')
})

it('sends a template to a group once, after a check', async () => {
  const { call, importRows } = await start()
  await importRows(rows)
  await call(TemplateCreate, 'Hi', 'Hi {name} of {city|town}')
  const argv = ['--group', 'customers', '--template', 'HI']
  const dry = await call(MessageSend, ...argv, '--dry-run')
  expect(dry.stdout).toContain('Hi @Ann of Köln')
  expect(JSON.parse((await call(MessageList, '--json')).stdout)).toEqual([])
  expect((await call(MessageSend, ...argv)).code).toBe(0)
  await call(MessageSend, ...argv)
  const sent = JSON.parse((await call(MessageList, '--json')).stdout) as { message: string }[]
  expect(sent.map(({ message }) => message).sort()).toEqual(['Hi @Ann of Köln', 'Hi Bob of town'])
})

it.each([
  [['--group', 'none', '--text', 'a'], 'none'],
  [['--group', 'VIP', '--template', 'none'], 'no template none'],
  [['--group', 'VIP', '--csv', 'x'], 'csv'],
  [['--template', 'Hi'], 'group'],
  [['--group', 'VIP', '+12025550123'], '--group'],
  [['--group', 'VIP'], 'message'],
])('message send %j fails with a sentence', async (argv, reason) => {
  const { call, importRows } = await start()
  await importRows(rows)
  const { code, stderr } = await call(MessageSend, ...argv)
  expect(code).not.toBe(0)
  expect(stderr).toContain(reason)
})

it('adds and changes one contact, and keeps what no flag names', async () => {
  const { call } = await start()
  const number = '+12025550123'
  const added = await call(ContactAdd, number, '--name', 'Ann', '--group', 'VIP', '--field', 'A=1')
  expect(added).toMatchObject({ code: 0, stdout: `Added ${number} (Ann).\n` })
  const twice = await call(ContactAdd, number, '--json')
  expect([twice.code, JSON.parse(twice.stdout).error.code]).toEqual([1, 'invalid_parameter'])
  const edit = async (...argv: string[]) => {
    const { stdout } = await call(ContactEdit, number, ...argv, '--json')
    const { name, fields, groups } = JSON.parse(stdout)
    return { name, fields, groups }
  }
  const before = { name: 'Ann', fields: { a: '1' }, groups: ['VIP'] }
  expect(await edit('--name', 'Bea')).toEqual({ ...before, name: 'Bea' })
  expect(await edit('--field', 'city=Rome=It', '--field', 'a=')).toMatchObject({
    fields: { city: 'Rome=It' },
    groups: ['VIP'],
  })
  const moved = await edit('--add-group', 'Crew', '--add-group', 'vip', '--remove-group', 'VIP')
  expect(moved.groups.sort()).toEqual(['Crew', 'VIP'])
  expect((await edit('--remove-group', 'vip')).groups).toEqual(['Crew'])
  expect((await call(ContactEdit, number)).stderr).toContain('No change is given.')
  expect((await call(ContactEdit, number, '--field', 'x')).stderr).toContain('not FIELD=VALUE')
  expect((await call(ContactEdit, '+12025550199', '--name', 'Cy')).stderr).toContain('not the num')
})

it('several changes at once are all kept', async () => {
  const { call } = await start()
  const number = '+12025550123'
  await call(ContactAdd, number)
  const groups = ['A', 'B', 'C']
  const results = await Promise.all(
    groups.map(group => call(ContactEdit, number, '--add-group', group)),
  )
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
  const [contact] = JSON.parse((await call(ContactList, '--json')).stdout)
  expect(contact.groups.sort()).toEqual(groups)
})

it('creates and renames a group, and changes its members', async () => {
  const { call, importRows } = await start()
  await importRows(rows)
  const created = await call(GroupCreate, 'Crew', '--json')
  const { id } = JSON.parse(created.stdout)
  expect((await call(GroupCreate, 'crew')).code).toBe(1)
  const members = ['+12025550123', '+12025550124']
  const added = await call(GroupAddMembers, 'crew', ...members)
  expect(added.stderr).toBe('')
  expect(added.stdout).toBe(
    'Added +12025550123 (@Ann) to Crew.\nAdded +12025550124 (Bob) to Crew.\n',
  )
  expect((await call(GroupRename, id, 'Team')).stdout).toBe(`Renamed to Team (${id}).\n`)
  const removed = await call(GroupRemoveMembers, 'team', members[0] ?? '', '--json')
  expect(JSON.parse(removed.stdout)).toMatchObject({ groups: ['Customers', 'VIP'] })
  const left = JSON.parse((await call(ContactList, '--group', 'Team', '--json')).stdout)
  expect(left).toMatchObject([{ number: members[1], groups: ['Customers', 'Team'] }])
  const missing = await call(GroupAddMembers, 'Nobody', ...members)
  expect(missing.stderr).toContain('There is no group Nobody.')
  expect(missing.stderr).toContain('smsrelay group list')
  const alone = await call(GroupAddMembers, 'team')
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('NUMBER')])
  const none = await call(GroupAddMembers)
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('GROUP is missing.')])
})
