import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { run } from '../commands/harness.js'
import { temporaryFolder } from '../temporary-folder.js'
import { expectFiles } from './expect-files.js'
import { fillRelay, password, startFixedRelay } from './fixture.js'
import { loadCommands } from './program.js'

/**
 * What is typed, in order; a word such as `$messages` is the id of something in the relay. Commands
 * that run until they are stopped, or need a database or systemd, have other tests.
 */
const typed = `
whoami
status
statistics --by state
login --profile home
profile list
profile show home
profile rename home work
profile use work
profile remove work
logout
token issue
token revoke lost
message send +12025550120 Hello --at 2099-12-31T12:00:00Z
message list --count 2
message list --filter sent
message get $messages
message get lost
message get
message edit $messages --text Changed
message lock $messages
message unlock $messages
message delete $messages
message undelete $messages
message retry $retrying
message received
hook events
hook create message.failed $receiver
hook list
hook get $subscriptions
hook edit $subscriptions --window 2
hook pause $subscriptions
hook resume $subscriptions
hook secret
hook test $subscriptions
hook deliveries $subscriptions
hook resend $subscriptions 5
hook replay $subscriptions --from 5
hook trigger message.failed
hook delete $subscriptions
contact add +12025550121 --name Dan --group All
contact list
contact edit +12025550121 --name Dana
contact import $folder/contacts.csv
contact export
contact delete +12025550121
group create Staff
group list
group add-members All +12025550130
group remove-members All +12025550130
group rename All Everyone
group delete $groups
template create Late "See you {name}"
template list
template delete $templates
do-not-text add +12025550122 --note "On request"
do-not-text list
do-not-text import $folder/numbers.csv
do-not-text export
do-not-text remove +12025550122
mailbox create --name Desk
mailbox list
mailbox delete $mailboxes
url create --name Gate --to +12025550123
url list
url revoke $urls
phone presets
phone setup modem --driver simulate
phone setups
phone doctor --driver simulate
phone test +12025550124 --driver simulate --yes
phone ussd *100# --driver simulate
phone forget modem
audit list --count 3
account create dot@example.com
account list
account show dot@example.com
account set dot@example.com --country DE
account limit dot@example.com --messages-per-day 5
account rotate dot@example.com --key api
account password dot@example.com --random
account delete dot@example.com --yes
person list --account ann@example.com
person invite eve@example.com --account ann@example.com
person set-role cat@example.com sender
person reset-second-factor ann@example.com
person remove cat@example.com
config check
config show
data check
data export
data backup $folder/backup
data repair
data import
database status
`

const opaque = /^(?:(?=.*[a-z])(?=.*[A-Z\d])[\w+/$=-]{20,}|[a-z2-7]{32}|[a-z\d]{10}-[a-z\d]+)$/
const secret = /\b(?:sr[a-z]_[\w-]{20,}|whsec_[\w+/=]+)/g
const noise = new Set(['ms', 'lines', 'bytes', 'hint'])

/** Replaces what differs between runs; lists and exports keep their first lines. */
function normalize(value: unknown, key = ''): unknown {
  if (noise.has(key) || (typeof value === 'number' && value > 1e9)) return 'N'
  if (typeof value === 'string')
    return value
      .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')
      .replace(secret, 'KEY')
      .replace(/<number>\.\w+…?/, '<number>.KEY')
      .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:PORT')
      .replace(/(\d\d:\d\d):\d\d(?:\.\d+)?(?!\d)/g, '$1:SS')
      .replace(/\/tmp\/[\w-]+(\/state\/smsrelay\/[\w-]+)?/g, 'FOLDER')
      .replace(/\b[a-z\d]{8}-[a-z\d]{9,12}-[a-z\d]{9,}/g, 'ID')
      .replace(/\b\d+ ms\b|(?<=process )\d+/g, 'N')
      .replace(opaque, '…')
      .replace(/(webhook-(?:timestamp|signature): ).*/g, '$1…')
  if (Array.isArray(value)) return value.slice(0, 20).map(each => normalize(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, normalize(each, name)]),
  )
}

/** A line for each element of a list, and for each kind of exported record. */
function formatOutput(stdout: string): string[] {
  const kinds = new Set<unknown>()
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
    .filter(({ kind }) => kind === undefined || (!kinds.has(kind) && kinds.add(kind)))
    .flatMap(value => {
      const shown = normalize(value)
      return Array.isArray(shown) && shown.length > 0
        ? shown.map((each, at) => `${at === 0 ? '[' : ' '}${JSON.stringify(each)}`)
        : [JSON.stringify(shown)]
    })
}

test('what every command prints with --json', async () => {
  const commands = await loadCommands()
  const fixed = await startFixedRelay()
  const { ids } = await fillRelay(fixed)
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'contacts.csv'), 'number,name\n+12025550130,Eve\n')
  await writeFile(join(folder, 'numbers.csv'), 'number,note\n+12025550131,Moved\n')
  const { owner, relay, dataDir, clock, receiver } = fixed
  const env = {
    SMSRELAY_CONFIG_DIR: join(folder, 'config'),
    SMSRELAY_STATE_DIR: join(folder, 'state'),
    XDG_STATE_HOME: join(folder, 'state'),
    SMSRELAY_PASSWORD: password,
  }
  const keys: Readonly<Record<string, string>> = {
    ...{ url: relay.url, 'secret-key': owner.secret_key, 'api-key': owner.api_key },
    ...{ 'app-key': owner.app_key, data: dataDir },
  }
  const values: Readonly<Record<string, string>> = { ...ids, folder, receiver }
  const fill = (word: string) => word.replace(/\$(\w+)/, (_, name) => values[name] ?? name)
  const files = new Map<string, string[]>()
  for (const line of typed.trim().split('\n')) {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const length = commands.has(words.slice(0, 2).join(':')) ? 2 : 1
    const command = commands.get(words.slice(0, length).join(':'))
    if (command === undefined) throw new Error(`There is no command for \`${line}\`.`)
    const known = { ...command.baseFlags, ...command.flags }
    const own = Object.entries(keys).flatMap(([name, value]) =>
      name in known ? [`--${name}`, value] : [],
    )
    const argv = [...words.slice(length).map(fill), ...own, '--json']
    const { code, stdout, stderr } = await run(command, argv, { env, clock })
    const notes = stderr === '' ? [] : [`stderr: ${stderr.trim()}`]
    const topic = length === 1 ? 'program' : (words[0] ?? '')
    const lines = [`$ smsrelay ${line} --json: ${code}`, ...formatOutput(stdout), ...notes, '']
    files.set(topic, [...(files.get(topic) ?? []), ...lines])
  }
  await expectFiles('json', files)
})
