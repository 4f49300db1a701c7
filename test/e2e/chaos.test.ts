import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { program } from './program.js'

const exec = promisify(execFile)
const chaos = join(program, '..', '..', 'dist', 'tools', 'chaos', 'run.js')

test('a short crash matrix has no violations and leaves no files', async () => {
  const base = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  onTestFinished(async () => await rm(base, { recursive: true, force: true }))
  const { stdout } = await exec(process.execPath, [chaos, '--quick', '--seed', '5', '--dir', base])
  const rows = stdout.split('\n').filter(line => /^\| (kill|Power|Network)/.test(line))
  expect(rows).toHaveLength(6)
  for (const row of rows) expect(row).toMatch(/\| ok +\|$/)
  expect(await readdir(base)).toEqual([])
}, 480_000)

test('several nodes survive the kill of their database, and start together', async () => {
  const base = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  onTestFinished(async () => await rm(base, { recursive: true, force: true }))
  const args = ['--store', 'postgres', '--quick', '--scenarios', 'K3,K8', '--seed', '5']
  const { stdout } = await exec(process.execPath, [chaos, ...args, '--dir', base])
  const rows = stdout.split('\n').filter(line => /^\| K/.test(line))
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(row).toMatch(/\| ok +\|$/)
  expect(await readdir(base)).toEqual([])
}, 480_000)
