// Runs the documentation: every `sh` block of the README, the guide and the pages on operation,
// command by command, in an empty home directory. Blocks that need hardware, root or another host
// are marked `console` and do not run. A `toml` block that begins with the path of a file is
// written there.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findPorts } from '../../tools/ports/free-ports.js'
import { isFullRun } from '../tier.js'
import { type Home, makeHome, makeShell, program, type Shell, serve } from './program.js'

const root = join(program, '..', '..')
const pages = await listPages()

/** The pages that a new user reads first; `npm test` runs only these. */
const firstPages = ['README.md', 'docs/guide/getting-started.md']

/** Ports that blocks listen on, and what a test uses in their place. */
const shownPorts = ['2525', '9000']
const usedPorts = await findPorts(shownPorts.length)

/** The pages that have blocks to run. */
async function listPages(): Promise<string[]> {
  const all = ['README.md']
  for (const folder of ['docs/guide', 'docs/operate']) {
    const names = await readdir(join(root, folder))
    all.push(...names.sort().map(name => `${folder}/${name}`))
  }
  const blocks = await Promise.all(all.map(async page => await readBlocks(page, 'sh')))
  return all.filter((_, at) => blocks[at]?.length !== 0)
}

const assignments = /^(?:\w+=(?:\$\([^)]*\)|\S+) +)*/

/** Whether a command runs until it is stopped. */
function isEndless(command: string): boolean {
  const runs = /^(?:npx )?smsrelay (?:serve|phone|hook listen)\b/
  return (
    runs.test(command.replace(assignments, '')) &&
    !/ phone (?:doctor|presets|setups?|forget|test|ussd|service)\b/.test(command)
  )
}

async function readBlocks(page: string, language: 'sh' | 'toml'): Promise<string[]> {
  if (!page.endsWith('.md')) return []
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
}

/** The commands of a block; a backslash continues a line. */
function splitCommands(block: string): string[] {
  return block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}

interface Ended {
  readonly command: string
  readonly code: number | null
  readonly stderr: string
}

/** Runs a block; what it starts in the background is stopped with Ctrl-C at its end. */
async function runBlock(block: string, shell: Shell) {
  const running: { command: string; child: ChildProcess; ended: Promise<Ended> }[] = []
  const done: Ended[] = []
  const commands = splitCommands(block)
  // Without a command that goes on, the block is one script, with its variables.
  for (const command of commands.some(isEndless) ? commands : [block]) {
    const goesOn = isEndless(command)
    const data = `SMSRELAY_DATA_DIR=$HOME/other-${running.length} `
    const script = goesOn ? `${data}${command.replace(assignments, '$&exec ')}` : command
    const child = spawn('sh', ['-eu', '-c', script], {
      ...shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = collect(command, child)
    if (goesOn) {
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
      running.push({ command, child, ended })
    } else {
      done.push(await ended)
    }
  }
  for (const { child, ended } of running.reverse()) {
    child.kill('SIGINT')
    done.push(await ended)
  }
  return done
}

async function collect(command: string, child: ChildProcess): Promise<Ended> {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdout?.resume()
  const [code] = await once(child, 'close')
  return { command, code, stderr }
}

test.each(isFullRun ? pages : pages.filter(page => firstPages.includes(page)))(
  'every shell block of %s works as printed',
  async page => {
    const home = await makeHome()
    const { url } = await serve(home, '--sandbox')
    const profile = JSON.parse(await readFile(join(home.dir, 'config', 'config.json'), 'utf8'))
    const { secret_key, api_key, app_key } = profile.profiles.default
    const values: Record<string, string> = {
      ...{ RELAY: url, SECRET_KEY: secret_key, API_KEY: api_key, APP_KEY: app_key },
      ...{ SMSRELAY_PORT: '0', SMSRELAY_DATA_DIR: join(home.dir, 'data') },
      TOKEN: await readToken(url, `${secret_key}:${api_key}`),
      PHONE: await readToken(url, `${secret_key}:${app_key}`),
    }
    const shell = await makeShell(home, values)
    await writeFile(join(home.dir, 'guests.csv'), 'number,name,time\n+12025551212,Ann,18:00\n')
    for (const block of await readBlocks(page, 'toml')) await writeShownFile(useValues(block, home))
    const config = join(home.dir, 'config')
    await cp(config, `${config}.first`, { recursive: true })
    for (const block of await readBlocks(page, 'sh')) {
      // A block that starts a relay of its own makes it the default profile.
      await cp(`${config}.first`, config, { recursive: true })
      const ended = await runBlock(useValues(block, home, values), shell)
      const failed = ended.filter(({ code }) => code !== 0 && code !== 130)
      expect(failed).toEqual([])
    }
  },
)

/**
 * The block with this relay's address and keys in place of the printed ones, and with paths and
 * ports that a test may use.
 */
function useValues(block: string, home: Home, values: Record<string, string> = {}): string {
  return block
    .replace(/^(RELAY|SECRET_KEY|API_KEY|APP_KEY)=\S+/gm, (_, name: string) => {
      return `${name}='${values[name]}'`
    })
    .replace(/\/(?:etc|var\/lib)\/smsrelay/g, path => join(home.dir, path))
    .replace(/\b0\.0\.0\.0\b/g, '127.0.0.1')
    .replaceAll('--metrics-port 9464', '--metrics-port 0')
    .replace(/(?<=port |:)\d+\b/g, port => String(usedPorts[shownPorts.indexOf(port)] ?? port))
}

/** Writes a file that a page shows, if the first line is a comment with its path. */
async function writeShownFile(block: string): Promise<void> {
  const [, path] = /^# (\/\S+)\n/.exec(block) ?? []
  if (path === undefined) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, block)
}

async function readToken(url: string, login: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`
  const reply = await fetch(`${url}/oauth`, { headers: { authorization } })
  return ((await reply.json()) as { access_token: string }).access_token
}
