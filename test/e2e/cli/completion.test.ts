// Completion in real shells: the script of `smsrelay completion` is loaded, a line is completed,
// and the words that the shell would offer are compared. PowerShell is not installed where this was
// written: its script is only compared with the table of commands.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isInstalled } from '../../installed.js'
import { readText } from '../../source-tree.js'
import { type AtEnd, type Home, makeHome, program } from '../program.js'

const exec = promisify(execFile)
const shells = ['bash', 'zsh', 'fish'] as const
const scripts = new Map<string, string>()
/** Words with their descriptions. */
const answersBySource: Readonly<Record<string, readonly string[]>> = {
  'complete profiles': ['work', 'profile', 'other', 'profile'],
  'complete setups': ['stick', 'modem'],
  'complete messages': ['01a207be', 'S +12025550123 a: b', '01a207bf', 'N +12025550124 $(id)'],
  'complete subscriptions': [],
  'complete messages --profile work': ['01a207c0', 'N +12025550125 of work'],
  'complete messages --url http://127.0.0.1:9': ['01a207c1', 'N +12025550126 of that relay'],
  'complete messages --profile=work': ['01a207c0', 'N +12025550125 of work'],
}

/** Prints the words that each shell offers for the line in $1, one a line. */
const drivers = {
  bash: `
source "$SCRIPT"
line="\${1//=/ = }"
read -ra COMP_WORDS <<< "\${line//:/ : }"
[[ $1 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_smsrelay
printf '%s\\n' "\${COMPREPLY[@]}"
`,
  zsh: `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source "$DRIVER"'
zpty -r -m shell out '*ready*'
zpty -w -n shell "$1"$'\\t'
zpty -r -m shell out '*end of words*'
for word in \${(f)out}; do [[ $word == *word=* ]] && print -r -- \${\${word#*word=}%$'\\r'}; done
zpty -d shell
`,
  fish: 'source $SCRIPT; complete -C $argv[1]',
}
/** What zsh runs at its terminal: a widget prints what functions of completion offer. */
const zshWidget = `
PS1=
autoload -Uz compinit && compinit -u -D
source "$SCRIPT"
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -A offered "$@"
  for each in $offered; do print -r -- "word=$each"; done
  builtin compadd "$@"
}
offer() { print; _main_complete; print -r -- "end of words"; compstate[insert]=; compstate[list]= }
zle -C offer complete-word offer
bindkey '^I' offer
print -r -- read''y
`

/** A home with the scripts and a program that answers like `smsrelay complete`, but at once. */
async function makeShellHome(atEnd: AtEnd): Promise<Home> {
  const home = await makeHome(undefined, {}, atEnd)
  const answers = Object.entries(answersBySource).map(([source, lines]) => {
    return `'${source}') printf '%s\\t%s\\n' ${lines.map(line => `'${line}'`).join(' ')} ;;`
  })
  const stand = ['#!/bin/sh', 'case "$*" in', ...answers, '*) exit 1 ;;', 'esac', '']
  await writeFile(join(home.dir, 'smsrelay'), stand.join('\n'), { mode: 0o755 })
  await writeFile(join(home.dir, 'webhook.json'), '{}')
  for (const [shell, script] of scripts) await writeFile(join(home.dir, `script.${shell}`), script)
  await writeFile(join(home.dir, 'driver.zsh'), zshWidget)
  return home
}

/** The words that a shell offers; a prefix \`--flag=\` is removed. */
async function offer(shell: (typeof shells)[number], home: Home, line: string): Promise<string[]> {
  const args = { bash: ['--norc', '-c'], zsh: ['-f', '-c'], fish: ['--no-config', '-c'] }[shell]
  const name = shell === 'fish' ? [] : ['test']
  const env = {
    ...home.env,
    SCRIPT: join(home.dir, `script.${shell}`),
    DRIVER: join(home.dir, 'driver.zsh'),
    PATH: [home.dir, process.env.PATH].join(delimiter),
    TERM: 'xterm',
  }
  const { stdout, stderr } = await exec(shell, [...args, drivers[shell], ...name, line], {
    env,
    cwd: home.dir,
  })
  expect(stderr).toBe('')
  const words = stdout.split('\n').map(text =>
    text
      .split('\t')[0]
      ?.replace(/^--\w+=/, '')
      .trim(),
  )
  return words.flatMap(word => (word === undefined || word === '' ? [] : [word])).sort()
}

beforeAll(async () => {
  for (const shell of [...shells, 'powershell']) {
    const { stdout } = await exec(process.execPath, [program, 'completion', shell])
    scripts.set(shell, stdout)
  }
})

describe.each(shells)('%s', shell => {
  const isThere = isInstalled(shell, `completion in ${shell}`)
  let home: Home
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = []
    home = await makeShellHome(end => ends.push(end))
    return async () => void (await Promise.all(ends.map(async end => await end())))
  })

  test.runIf(isThere).each([
    ['smsrelay message l', ['list', 'lock']],
    ['smsrelay message list --filter se', ['sent']],
    ['smsrelay message list --filter=se', ['sent']],
    ['smsrelay message list --ord', ['--order']],
    ['smsrelay message list --filter sent --ord', ['--order']],
    ['smsrelay message list --filter=sent --ord', ['--order']],
    ['smsrelay serve --no-mig', ['--no-migrate']],
    ['smsrelay phone service ', ['install', 'status', 'uninstall']],
    ['smsrelay completion ', ['bash', 'fish', 'powershell', 'zsh']],
    ['smsrelay hook create message.fa', ['message.failed']],
    ['smsrelay hook verify web', ['webhook.json']],
    ['smsrelay whoami --profile w', ['work']],
    ['smsrelay phone --use ', ['stick']],
    ['smsrelay message get ', ['01a207be', '01a207bf']],
    ['smsrelay message get --profile work ', ['01a207c0']],
    ['smsrelay message get --profile=work ', ['01a207c0']],
    ['smsrelay message get --url http://127.0.0.1:9 ', ['01a207c1']],
    ['smsrelay message list -o nd', ['ndjson']],
    ['smsrelay hook test ', []],
    ['smsrelay message send +12025550123 ', []],
    ['smsrelay nothing ', []],
    ['smsrelay nothing --he', []],
  ])('completes %s', async (line, expected) => {
    expect(await offer(shell, home, line)).toEqual(expected)
  })

  test.runIf(isThere)('offers every command but the hidden one', async () => {
    const words = await offer(shell, home, 'smsrelay ')
    const ids = Object.keys(JSON.parse(readText('dist/commands.json')))
    const expected = new Set(ids.map(id => id.split(':')[0]).filter(id => id !== 'complete'))
    expect(words).toEqual([...expected].sort())
  })
})

test('saved names are printed with their descriptions', async () => {
  const home = await makeHome()
  await home.run(['phone', 'setup', 'stick', '--driver', 'simulate'])
  const profile = { url: 'http://127.0.0.1:9', secret_key: 'a', api_key: 'b' }
  const profiles = JSON.stringify({ profiles: { work: profile, 'a $(b)': profile } })
  await writeFile(join(home.dir, 'config', 'config.json'), profiles)
  expect((await home.run(['complete', 'profiles'])).stdout).toBe('work\tprofile\n')
  expect((await home.run(['complete', 'setups'])).stdout).toBe('stick\tsimulate\n')
})

test('a relay that does not answer, or is not there, offers nothing and no error', async () => {
  const home = await makeHome()
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  const login = ['--secret-key', 'a', '--api-key', 'b']
  const nothing = { code: 0, stdout: '', stderr: '' }
  for (const url of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:9', 'nonsense']) {
    expect(await home.run(['complete', 'messages', '--url', url, ...login])).toEqual(nothing)
  }
  for (const args of [['messages'], ['other'], [], ['profiles', '--unknown']]) {
    expect(await home.run(['complete', ...args])).toEqual(nothing)
  }
})

test('the script for PowerShell has every command, and its quotes and brackets match', () => {
  const script = scripts.get('powershell') ?? ''
  for (const id of Object.keys(JSON.parse(readText('dist/commands.json')))) {
    if (id !== 'complete') expect(script).toContain(`'${id.replaceAll(':', ' ')}' = @{`)
  }
  const code = script.replace(/^#.*$/gm, '').replace(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"/g, '')
  expect(code).not.toMatch(/['"]/)
  for (const [open, close] of ['()', '{}', '[]'].map(pair => [...pair])) {
    expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length)
  }
})
