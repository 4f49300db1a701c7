// The words that real shells offer for a line, with the script of `smsrelay completion`.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isInstalled } from '../../installed.js'
import { type Home, makeHome, program } from '../program.js'

const exec = promisify(execFile)

/** Prints the words that each shell offers for the line in $1, one a line. */
const offers = {
  bash: `
source <("$NODE" "$PROGRAM" completion bash)
line="\${1//=/ = }"
read -ra COMP_WORDS <<< "\${line//:/ : }"
[[ $1 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_smsrelay smsrelay
printf '%s\\n' "\${COMPREPLY[@]}"
`,
  fish: '"$NODE" "$PROGRAM" completion fish | source; complete -C $argv[1]',
}

async function offer(shell: keyof typeof offers, home: Home, line: string): Promise<string[]> {
  await writeFile(join(home.dir, 'smsrelay'), `#!/bin/sh\nexec "$NODE" "$PROGRAM" "$@"\n`, {
    mode: 0o755,
  })
  const argv =
    shell === 'bash'
      ? ['--norc', '-c', offers.bash, 'test', line]
      : ['--no-config', '-c', offers.fish, line]
  const PATH = [home.dir, process.env.PATH].join(delimiter)
  const env = { ...home.env, PATH, NODE: process.execPath, PROGRAM: program }
  const { stdout, stderr } = await exec(shell, argv, { env, cwd: home.dir })
  expect(stderr).toBe('')
  const words = stdout.split('\n').map(text => text.split('\t')[0] ?? '')
  return words
    .map(word => word.replace(/^--\w+=/, '').trim())
    .filter(word => word !== '')
    .sort()
}

describe.each(['bash', 'fish'] as const)('%s', shell => {
  test.runIf(isInstalled(shell, `completion in ${shell}`))('completes lines', async () => {
    const home = await makeHome()
    await home.run(['phone', 'setup', 'stick', '--driver', 'simulate'])
    await writeFile(join(home.dir, 'guests.csv'), '')
    for (const [line, expected] of [
      ['smsrelay message l', ['list', 'lock']],
      ['smsrelay message list --filter=se', ['sent']],
      ['smsrelay serve --no-mig', ['--no-migrate']],
      ['smsrelay hook create message.fa', ['message.failed']],
      ['smsrelay message send --csv gue', ['guests.csv']],
      ['smsrelay serve --config=gue', ['guests.csv']],
      ['smsrelay phone --use ', ['stick']],
      ['smsrelay message send +12025550123 ', []],
      ['smsrelay nothing --he', []],
    ] as const) {
      expect(await offer(shell, home, line), line).toEqual(expected)
    }
  })
})

test('ids are those of the relay that the line names', async () => {
  const home = await makeHome()
  const complete = async (...words: string[]) =>
    (await home.run(['complete', '--', ...words])).stdout
      .split('\n')
      .map(line => line.split('\t')[0])
  expect(await complete('message', 'list', '--filter', 'se')).toEqual(['sent', ''])
  expect(await complete('message', 'list', '--filter', '=', 'se')).toEqual(['--filter=sent', ''])
  expect(await complete('whoami', '--profile', '')).toEqual([''])
  const profile = { url: 'http://127.0.0.1:9', secret_key: 'a', api_key: 'b' }
  await mkdir(join(home.dir, 'config'), { recursive: true })
  const profiles = JSON.stringify({ profiles: { work: profile, 'a $(b)': profile } })
  await writeFile(join(home.dir, 'config', 'config.json'), profiles)
  expect(await complete('whoami', '--profile', '')).toEqual(['work', ''])
})

test('a relay that does not answer, or is not there, offers nothing and no error', async () => {
  const home = await makeHome()
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  for (const url of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:9', 'nonsense']) {
    const line = ['message', 'get', '--secret-key', 'a', '--api-key', 'b', `--url=${url}`, '']
    const ran = await home.run(['complete', '--', ...line])
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' })
  }
})
