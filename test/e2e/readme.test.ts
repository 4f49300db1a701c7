import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHome, program, serve } from './program.js'

const root = join(program, '..', '..')
const hasCurl = spawnSync('curl', ['--version']).status === 0

async function curlFlow(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const section = readme.slice(readme.indexOf('## The whole flow with curl'))
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}

/** The block as printed, with this relay's address and keys in place of the printed ones. */
function withKeys(flow: string, values: Record<string, string>): string {
  return flow.replace(/^(RELAY|SECRET_KEY|API_KEY|APP_KEY)=\S+/gm, (_, name: string) => {
    return `${name}='${values[name]}'`
  })
}

test.skipIf(!hasCurl)('the curl flow works as printed', async () => {
  const home = await makeHome()
  const { url } = await serve(home)
  const profile = JSON.parse(await readFile(join(home.dir, 'config', 'config.json'), 'utf8'))
  const { secret_key, api_key, app_key } = profile.profiles.default
  const values = { RELAY: url, SECRET_KEY: secret_key, API_KEY: api_key, APP_KEY: app_key }
  const flow = withKeys(await curlFlow(), values)
  const run = spawnSync('sh', ['-eu', '-c', flow], { encoding: 'utf8' })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  const [created, succeeded, listed] = run.stdout
    .split(/(?<=})(?={"messages?":)/)
    .map(text => JSON.parse(text))
  expect(created.message).toMatchObject({ status: 'N', destination: '+12025550123' })
  expect(succeeded.message).toMatchObject({ status: 'S', id: created.message.id })
  expect(listed.messages[0].message).toMatchObject({ status: 'S', id: created.message.id })
})

test('every command is in the table of the README, and every one there exists', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const manifest = JSON.parse(await readFile(join(root, 'oclif.manifest.json'), 'utf8'))
  const table = readme.slice(readme.indexOf('| Command |'), readme.indexOf('Exit codes: 0 done'))
  const named = [...table.matchAll(/^\| (.+?) \|/gm)]
    .slice(1)
    .flatMap(row => commandsOf(row[1] ?? ''))
  expect(named.filter(name => name !== '---').sort()).toEqual(Object.keys(manifest.commands).sort())
})

/** `account create EMAIL`, `list` names account:create and account:list. */
function commandsOf(cell: string): string[] {
  const parts = [...cell.matchAll(/`([^`]+)`/g)].map(match => match[1]?.split(' ') ?? [])
  const topic = (parts[0] ?? []).filter(word => /^[a-z]+$/.test(word))
  return parts.map(words => {
    const names = words.filter(word => /^[a-z]+$/.test(word))
    return names.length === 1 && topic.length === 2 ? `${topic[0]}:${names[0]}` : names.join(':')
  })
}
