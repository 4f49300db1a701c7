import { expect, test } from 'vitest'
import type { CommandLine } from '../../../src/cli/reference/command-manifest.js'
import { formatEnvironment } from '../../../src/cli/reference/variables.js'

test('a variable with two meanings is shown once, with the meaning for each command', () => {
  const command = (id: string, description: string): CommandLine['commands'][number] => ({
    id,
    args: {},
    flags: { yes: { name: 'yes', type: 'boolean', env: 'SMSRELAY_YES', description } },
  })
  const commandLine: CommandLine = {
    version: '1.0.0',
    description: '',
    topics: {},
    commands: [command('account:delete', 'Delete without asking.'), command('test', 'Send it.')],
  }
  const section = [
    '  SMSRELAY_YES',
    '      account delete --yes: Delete without asking.',
    '      test --yes: Send it.',
  ]
  expect(formatEnvironment(commandLine, 100)).toContain(`\n${section.join('\n')}\n`)
})
