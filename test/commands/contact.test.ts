import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import ContactDelete from '../../commands/contact/delete.js'
import ContactExport from '../../commands/contact/export.js'
import ContactImport from '../../commands/contact/import.js'
import ContactList from '../../commands/contact/list.js'
import GroupDelete from '../../commands/group/delete.js'
import GroupList from '../../commands/group/list.js'
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
