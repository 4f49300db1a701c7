import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import * as messageCommands from '../../../../src/server/dashboard/messages/message-commands.js'
import { messageWith } from '../../../domain/samples.js'

const { formatMessageCommands } = messageCommands
const now = Date.UTC(2030, 0, 1)
const base = 'http://127.0.0.1:8080'

const special = fc.constantFrom(...'\'"\\`$!%-\n\t\r ', '\x03', '\x1b[201~', '\u202e', '\ufeff')
const text = fc
  .string({ unit: fc.oneof(special, fc.string({ unit: 'binary', maxLength: 1 })), minLength: 1 })
  .map(each => each.replaceAll('\0', ''))
  .filter(each => each !== '')

/** In place of the programs: each prints the body, argument or pipe that it got, and a NUL. */
const programs = `
curl() {
  for last do :; done
  printf '%s\\0' "$last"
}
smsrelay() {
  while [ "$1" != -- ]; do shift; done
  if [ $# = 3 ]; then printf '%s' "argument $3"; else printf 'pipe '; cat; fi
  printf '\\0'
}
`

/** The text of an argument, or of a pipe as the command reads it. */
function readInput(printed: string): string {
  const [, kind, text = ''] = /^(argument|pipe) (.*)$/s.exec(printed) ?? []
  if (kind === 'argument') return text
  return new TextDecoder().decode(Buffer.from(text)).replace(/\r?\n$/, '')
}

describe.each(['sh', 'bash'])('commands in %s', shell => {
  const run = (script: string): string[] =>
    execFileSync(shell, ['-c', programs + script], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)

  it('send any text exactly as it was', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 100, size: 'max' }), texts => {
        const commands = texts.map(each =>
          formatMessageCommands(messageWith({ text: each }), base, now),
        )
        const bodies = run(commands.map(({ curl }) => curl).join('\n'))
        expect(bodies.map(body => JSON.parse(body).message.message)).toEqual(texts)
        const printed = run(commands.map(({ cli }) => cli).join('\n'))
        expect(printed.map(readInput)).toEqual(texts)
      }),
      // A shell takes as long to start as to run hundreds of commands.
      { numRuns: 10 },
    )
  })
})

test('commands have no characters that control a terminal', () => {
  fc.assert(
    fc.property(text, each => {
      const { curl, cli } = formatMessageCommands(messageWith({ text: each }), base, now)
      expect(curl + cli).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    }),
  )
})

test.each([
  [now - 1000, undefined],
  [now, undefined],
  [now + 61_000, '2030-01-01 00:01:01'],
])('a time to send of %d is in the commands if it is later', (sendAt, expected) => {
  const { curl, cli } = formatMessageCommands(messageWith({ sendAt }), base, now)
  const [, body = ''] = /-d '(.*)'$/.exec(curl) ?? []
  expect(JSON.parse(body).message.send_on).toBe(expected)
  expect(/ --at '([^']*)'/.exec(cli)?.[1]).toBe(expected)
})

test('a recipient with line breaks is named by the number', () => {
  const message = messageWith({ destination: '+1 202\n5550123', number: '+12025550123' })
  const { curl, cli } = formatMessageCommands(message, base, now)
  expect(curl).toContain('"destination":"+12025550123"')
  expect(cli).toContain(" -- '+12025550123' ")
})
