import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../../../tools/ports/free-ports.js'
import { isInstalled } from '../../installed.js'
import { projectRoot, readText } from '../../source-tree.js'
import { temporaryFolder } from '../../temporary-folder.js'

const run = promisify(execFile)

/** Whether Postfix can run; if not, prints why. It starts only as root. */
export function canRunPostfix(skipped: string): boolean {
  if (!isInstalled('postfix', skipped)) return false
  if (process.getuid?.() === 0) return true
  console.warn(`Skipped: ${skipped}. Postfix starts only as root.`)
  return false
}

/** A line of `postqueue -j`. */
interface QueuedMail {
  readonly recipients: readonly { readonly address: string }[]
}

/** Services that Postfix needs besides the one that listens. */
const services = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  ...['bounce', 'defer', 'trace'].map(name => `${name} unix - - n - 0 bounce`),
  'verify unix - - n - 1 verify',
  'smtp unix - - n - - smtp',
  'relay unix - - n - - smtp',
  'retry unix - - n - - error',
  'showq unix n - n - - showq',
  'anvil unix - - n - 1 anvil',
  'proxymap unix - - n - - proxymap',
  'postlog unix-dgram n - n - 1 postlogd',
]

/** The block of the guide on mail that begins with a comment that names a file of Postfix. */
function readGuide(file: string): string {
  const [, block = ''] =
    new RegExp(`\`\`\`\n# ${file}[^\n]*\n(.*?)\`\`\``, 's').exec(readText('docs/guide/email.md')) ??
    []
  if (block === '') throw new Error(`The guide has no example of ${file}.`)
  return block
}

/** Starts a Postfix of its own, set up as in the guide, in front of a relay. */
export async function startPostfix(relayPort: number) {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const directory = (name: string) => join(folder, name)
  for (const name of ['config', 'queue', 'data']) await mkdir(directory(name))
  await run('chown', ['postfix', directory('data')])
  const port = await findFreePort()
  const main = [
    'compatibility_level = 3.6',
    ...[`queue_directory = ${directory('queue')}`, `data_directory = ${directory('data')}`],
    ...[`maillog_file = ${directory('log')}`, `maillog_file_prefixes = ${folder}`],
    ...['inet_interfaces = 127.0.0.1', 'inet_protocols = ipv4', 'myhostname = mx.example.com'],
    ...['default_transport = retry:none', 'alias_maps =', 'smtpd_peername_lookup = no'],
    readGuide('/etc/postfix/main.cf'),
  ]
  const listener = readGuide('/etc/postfix/master.cf')
    .replace(/^smtp\s+inet\s+n\s+-\s+y/m, `127.0.0.1:${port} inet n - n`)
    .replaceAll('127.0.0.1]:2525', `127.0.0.1]:${relayPort}`)
  await writeFile(join(folder, 'config', 'main.cf'), `${main.join('\n')}\n`)
  await writeFile(join(folder, 'config', 'master.cf'), `${services.join('\n')}\n${listener}`)
  const postfix = async (program: string, ...args: readonly string[]) =>
    await run(program, ['-c', directory('config'), ...args], { cwd: projectRoot })
  await postfix('postfix', 'start')
  onTestFinished(async () => {
    await postfix('postfix', 'stop')
  })
  return {
    port,
    /**
     * The recipients of the mail in its queue. It can deliver nothing to other domains, so bounces
     * stay there. Reports of errors to its own postmaster are left out.
     */
    listQueue: async () => {
      const lines = (await postfix('postqueue', '-j')).stdout.split('\n').filter(Boolean)
      const queued = lines.flatMap(line => (JSON.parse(line) as QueuedMail).recipients)
      return queued.map(each => each.address).filter(each => !each.startsWith('postmaster@'))
    },
  }
}
