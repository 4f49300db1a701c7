import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maskArguments } from '../../../src/cli/terminal/process-title.js'
import { projectRoot } from '../../source-tree.js'

test.each([
  [['--secret-key', 'hidden'], '--secret-key …'],
  [['--api-key=hidden', '--app-key', 'hidden'], '--api-key=… --app-key …'],
  [['--token', 'hidden', '--json'], '--token … --json'],
  [['serve', '--metrics-token=hidden'], 'serve --metrics-token=…'],
  [['--secret', 'whsec_hidden'], '--secret …'],
  [['--header', 'X-Key: hidden', '-H', 'X: hidden', '-HX: hidden'], '--header … -H … -H=…'],
  [['--option', 'password=hidden', '--option=pin=hidden'], '--option … --option=…'],
  [['--database', 'postgres://a:hid@den@db/x'], '--database postgres://…@db/x'],
  [['--mail-relay=smtp://a:hidden@mx'], '--mail-relay=smtp://…@mx'],
  [['hook', 'create', 'https://a:hidden@b/?key=hidden'], 'hook create https://…@b/?…'],
  [['token', 'revoke', 'srt_hidden'], 'token revoke srt_…'],
  [['message', 'send', 'Hello', '--data', '/x'], 'message send Hello --data /x'],
])('%j is shown as %s', (argv, shown) => expect(maskArguments(argv).join(' ')).toBe(shown))

test('every flag with a key, token or secret is masked', async () => {
  const page = await readFile(join(projectRoot, 'docs/reference/cli.md'), 'utf8')
  const flags = [
    ...page.matchAll(/^\| `(?:-\w, )?(--[\w-]+) (KEY|TOKEN|FIELD|KEY=VALUE|whsec_…)` \|/gm),
  ]
  const names = new Set(flags.map(([, name = '']) => name))
  // An idempotency key and the token of an HTTP method are no secrets.
  for (const name of ['--idempotency-key', '--method']) names.delete(name)
  expect(names.size).toBeGreaterThan(5)
  for (const name of names) expect(maskArguments([name, 'hidden'])).toEqual([name, '…'])
})
