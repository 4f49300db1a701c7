import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome, program } from '../program.js'

test('an output to a full disk is an error on stderr, also with --json', async context => {
  if (process.platform !== 'linux') context.skip('Only Linux has /dev/full.')
  const { env } = await makeHome()
  const full = await open('/dev/full', 'w')
  onTestFinished(async () => await full.close())
  const argv = [program, 'config', 'show', '--json']
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', full.fd, 'pipe'] })
  const output = child.stderr as Readable
  const [stderr, [code]] = await Promise.all([text(output), once(child, 'exit')])
  expect(stderr).toBe('smsrelay: ENOSPC: no space left on device, write\n')
  expect(code).toBe(1)
})
