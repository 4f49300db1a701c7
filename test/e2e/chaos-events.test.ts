import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { program } from './program.js'

const exec = promisify(execFile)
const chaos = join(program, '..', '..', 'dist', 'tools', 'chaos', 'run.js')

test('a short check of events finds none lost or out of order and leaves no files', async () => {
  const base = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  onTestFinished(async () => await rm(base, { recursive: true, force: true }))
  const args = ['--events', '--quick', '--seed', '5', '--dir', base]
  const { stdout } = await exec(process.execPath, [chaos, ...args])
  const [heads = [], , row = []] = stdout
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line => line.split('|').map(cell => cell.trim()))
  const cells = Object.fromEntries(heads.map((head, at) => [head, row[at]]))
  expect(cells).toMatchObject({ Events: '160', Subscriptions: '7', Delivered: '200' })
  expect(cells).toMatchObject({ 'kill -9 of the relay': '4', Lost: '0', 'Out of order': '0' })
  expect(row.at(-2)).toBe('ok')
  expect(await readdir(base)).toEqual([])
}, 300_000)
