// What the program says of itself, in the files beside this one: a change that users can see
// changes one of them. Update them with `npx vitest run --project source test/golden -u`, delete
// those that the test names as too many, and check with `git diff test/golden` that nothing else
// changed.
import { expect, test, vi } from 'vitest'
import { helpTopics } from '../../src/cli/program/help-topics.js'
import { apiErrors } from '../../src/contract/api/api-errors.js'
import { auditActions, auditActorKinds } from '../../src/domain/audit/audit-entry.js'
import { eventNames } from '../../src/domain/webhook/event.js'
import { errorCodes } from '../../src/errors.js'
import { metricDefinitions } from '../../src/server/monitoring/metric-definitions.js'
import { createOpenApiDocument } from '../../tools/reference/openapi.js'
import { run } from '../commands/harness.js'
import { readText } from '../source-tree.js'
import { expectFiles } from './expect-files.js'
import { describeOpenApi } from './openapi-lines.js'
import { foldCommonSections, loadCommands, printHelp, writePackage } from './program.js'

const commands = await loadCommands()

test('the help of every command and topic', async () => {
  const root = await writePackage(commands)
  const { topics } = JSON.parse(readText('package.json')).oclif
  const visible = [...commands].filter(([, { hidden }]) => !hidden).map(([id]) => id)
  const ids = ['', ...new Set([...visible, ...Object.keys(topics)])].sort()
  const helps = new Map<string, string>()
  for (const id of ids) helps.set(id, await printHelp(root, id))
  const files = new Map<string, string[]>()
  for (const [id, text] of foldCommonSections(helps)) {
    const [first = ''] = id.split(':')
    const file = first === 'common' || id.includes(':') || first in topics ? first : 'program'
    const typed = ['$ smsrelay', ...id.split(':').filter(Boolean), '--help\n'].join(' ')
    files.set(file, [...(files.get(file) ?? []), `${first === 'common' ? '' : typed}${text}`])
  }
  for (const [topic, print] of Object.entries(helpTopics))
    files.set(`topic-${topic}`, [await print(root, 100)])
  await expectFiles('help', files)
})

test('the settings that `config show` lists, with their defaults', async () => {
  for (const name of Object.keys(process.env).filter(each => each.startsWith('SMSRELAY_')))
    vi.stubEnv(name, undefined)
  const command = commands.get('config:show')
  if (command === undefined) throw new Error('There is no command `config show`.')
  const { stdout } = await run(command, [])
  vi.unstubAllEnvs()
  await expect(stdout.replace(/ +$/gm, '')).toMatchFileSnapshot('config-show.txt')
})

test('the names that programs rely on', async () => {
  const errors = Object.entries(errorCodes).map(([code, meaning]) => {
    const api: Readonly<Record<string, { status: number; remedy: string }>> = apiErrors
    const found = api[code]
    const answer = found === undefined ? '' : ` (${found.status}) ${found.remedy}`
    return `error ${code}: ${meaning}${answer}`
  })
  const metrics = metricDefinitions.map(({ name, type, help, labels, only }) => {
    const shown = Object.entries(labels).map(([label, values]) => `${label}=${values.join('|')}`)
    return `metric ${[name, type, ...shown, only ?? ''].join(' ').trim()}: ${help}`
  })
  const lines = [
    ...errors,
    ...metrics,
    ...auditActions.map(action => `audit action ${action}`),
    ...auditActorKinds.map(kind => `audit actor ${kind}`),
    ...eventNames.map(name => `event ${name}`),
  ]
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('names.txt')
})

test('the OpenAPI document', async () => {
  const examples = JSON.parse(readText('tools/reference/examples.json'))
  const document = createOpenApiDocument(examples)
  const lines = describeOpenApi(JSON.parse(JSON.stringify(document)))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('openapi.txt')
})
