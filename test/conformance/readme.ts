import { readdir, readFile } from 'node:fs/promises'
import { allRules } from '../../src/cli/verify/rules/all-rules.js'

/** A test of the suite by its name, with placeholders where it runs with several values. */
export interface NamedTest {
  readonly file: string
  readonly name: string
}

const here = new URL('./', import.meta.url)
const interfacePage = new URL('../../docs/reference/interface.md', here)
/** The tests of the suite itself. */
const others = ['readme.test.ts', 'interface-rules.test.ts']

export async function readSources(): Promise<{ file: string; text: string }[]> {
  const names = (await readdir(here, { recursive: true })).filter(name => name.endsWith('.test.ts'))
  const suite = names.filter(name => !others.includes(name)).sort()
  const texts = await Promise.all(suite.map(name => readFile(new URL(name, here), 'utf8')))
  return suite.map((file, index) => ({ file, text: texts[index] ?? '' }))
}

/** Finds the names of all tests in the sources. */
export async function listTests(): Promise<NamedTest[]> {
  const calls = /(?:\btest|\))\(\s*'([^'\n]+)',\s/g
  return (await readSources()).flatMap(({ file, text }) =>
    [...text.matchAll(calls)].map(([, name = '']) => ({ file, name })),
  )
}

/** The README of this folder: the rules of the interface and the names of all tests. */
export async function renderReadme(): Promise<string> {
  const tests = await listTests()
  const headings = await readHeadings()
  const sections = [...headings].flatMap(([section, title]) =>
    renderSection(section, title, tests, [...headings.keys()]),
  )
  const extensions = tests.filter(({ name }) => name.startsWith('extension: '))
  return [introduction, ...sections, '## Extensions\n', ...renderFiles(extensions), ending].join(
    '\n',
  )
}

/** Titles of the interface by section number. */
async function readHeadings(): Promise<Map<string, string>> {
  const text = await readFile(interfacePage, 'utf8')
  const found = text.matchAll(/^#{2,3} (\d(?:\.\d)?) (.+)$/gm)
  return new Map([...found].map(([, section = '', title = '']) => [section, title]))
}

function renderSection(
  section: string,
  title: string,
  tests: readonly NamedTest[],
  known: readonly string[],
): string[] {
  const rules = allRules.filter(rule => rule.section === section)
  const details = tests.filter(({ name }) => findSection(name, known) === section)
  if (rules.length + details.length === 0) return []
  const shownDetails = details.map(({ name }) => `- \`${name}\``)
  return [
    `## ${section} ${title}\n`,
    ...(rules.length === 0 ? [] : ['Rules:\n', ...rules.map(rule => `- ${rule.title}`), '']),
    ...(details.length === 0 ? [] : ['Details of smsrelay:\n', ...shownDetails, '']),
  ]
}

/** The section of the interface to which a test belongs, by the number in front of its name. */
function findSection(name: string, known: readonly string[]): string | undefined {
  const [number = ''] = name.split(' ')
  return known.includes(number) ? number : known.find(section => section === number.split('.')[0])
}

function renderFiles(tests: readonly NamedTest[]): string[] {
  return [...new Set(tests.map(({ file }) => file))].flatMap(file => {
    const title = file.replace(/.*\//, '').replace('.test.ts', '').replaceAll('-', ' ')
    const names = tests.filter(each => each.file === file).map(({ name }) => `- \`${name}\``)
    return [`### ${title.charAt(0).toUpperCase()}${title.slice(1)}\n`, ...names, '']
  })
}

const introduction = `# Conformance suite

<!-- Generated: npx vitest run -u --project source test/conformance/readme.test.ts -->

This suite tests the interface of [docs/reference/interface.md](../../docs/reference/interface.md),
with the same section numbers, over HTTP only:

- *Rules* are what the interface requires of every relay. They are in \`src/cli/verify/rules\`.
  \`smsrelay verify\` checks them against a running relay, \`interface-rules.test.ts\` in the tests.
- *Details of smsrelay* are tests of what the interface leaves open, and of more values.
- *Extensions* are tests of [docs/reference/extensions.md](../../docs/reference/extensions.md).

\`npx vitest run --project source test/conformance\` starts a relay for each file;
\`--project postgres\` does the same with relays on a database.
`

const ending = `## Not visible from outside

These rules need a clock that the test moves, or another way in than REST. Their tests are next to
the code.

- 1: messages from the dashboard (\`test/server/dashboard\`) and by e-mail
  (\`test/server/mail\`), and that nothing is sent to test numbers.
- 2.2: values of \`source\` other than \`api\` and \`url\`.
- 3, 8: a stored message in E with five failures.
- 4.2: the end of a lease after 120 seconds, the delivery mode \`at-most-once\`, and the deletion of
  old messages.
- 7: \`too_many_requests\` and \`unavailable\`.
- Subscriptions: the end of the retries after 72 hours, their jitter, the deletion of deliveries
  after 30 days, and \`replay\` of deleted events.
- \`Idempotency-Key\`: the end of its 24 hours.
- Secret URLs: their expiry, the throttle, and use counts after a restart.
- Phones: a phone is silent after five minutes without a request and forgotten after 30 days, quiet
  hours end, an account has at most 1,000 phones, and statistics older than 92 days are deleted.
- The event stream: heartbeats, the end of its token, deleted events, and readers that do not read.
- Signing secrets: the end of the 24 hours in which a replaced secret signs.
`
