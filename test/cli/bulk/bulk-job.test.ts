import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BulkJob } from '../../../src/cli/bulk/bulk-job.js'
import { type RunOptions, startOrResumeJob } from '../../../src/cli/bulk/resume-job.js'
import { temporaryFolder } from '../../temporary-folder.js'

const head = { digest: 'd', began: '2026-11-21T00:00:00.000Z' }
const message = { id: 'm1', status: 'N' }

async function open(folder: string): Promise<BulkJob> {
  const job = await BulkJob.open(join(folder, 'job'), 'name')
  onTestFinished(async () => await job.close())
  return job
}

/** Leaves a job with one row accepted and one tried, and opens it again. */
async function left(folder: string): Promise<BulkJob> {
  const job = await open(folder)
  await job.start(head)
  await Promise.all([job.recordTry('a', 1), job.recordTry('b', 2), job.recordTry('c', 3)])
  await job.recordAccepted('a', message)
  await job.recordRefused('c')
  await job.close()
  return await open(folder)
}

function wish(more: Partial<RunOptions> = {}): RunOptions {
  return { digest: 'd', again: false, newRows: false, now: head.began, ...more }
}

test('a job that was left knows what was accepted and what was tried', async () => {
  const job = await left(await temporaryFolder())
  await startOrResumeJob(job, wish())
  expect(job.getAccepted('a')).toEqual(message)
  expect([job.getFirstTry('a'), job.getFirstTry('b'), job.getFirstTry('c')]).toEqual([
    undefined,
    2,
    undefined,
  ])
})

test('a line that was not written whole is cut off, and what follows can be read', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'job', 'rows.log')
  await (await left(folder)).close()
  const { size } = await stat(path)
  for (const cut of [1, 5, 40]) {
    await truncate(path, size - cut)
    const job = await open(folder)
    await job.resume('d')
    await job.recordAccepted('b', message)
    await job.close()
    const again = await open(folder)
    expect(again.previous?.accepted.get('b')).toEqual(message)
    await again.close()
  }
})

test('a file that is damaged in its middle is refused', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'job', 'rows.log')
  await (await left(folder)).close()
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, [lines[0], 'x', ...lines.slice(2)].join('\n'))
  await expect(open(folder)).rejects.toMatchObject({ code: 'damaged_data' })
  await writeFile(path, 'something else\n')
  expect((await open(folder)).previous).toBeUndefined()
})

test('a job belongs to one process at a time', async () => {
  const folder = await temporaryFolder()
  await open(folder)
  await expect(open(folder)).rejects.toMatchObject({ code: 'directory_in_use' })
})

test('keys stay the same while a run goes on, and are new ones in the next', async () => {
  const folder = await temporaryFolder()
  const first = await open(folder)
  await first.start(head)
  const key = first.getIdempotencyKey('a')
  expect(first.getIdempotencyKey('b')).not.toBe(key)
  await first.close()
  const second = await open(folder)
  await second.resume('d')
  expect(second.getIdempotencyKey('a')).toBe(key)
  await second.finish(head.began, 1)
  await second.close()
  const third = await open(folder)
  await startOrResumeJob(third, wish({ again: true }))
  expect(third.getIdempotencyKey('a')).not.toBe(key)
})

test('of a finished job only its end is kept', async () => {
  const folder = await temporaryFolder()
  const job = await left(folder)
  await job.resume('d')
  await job.finish(head.began, 2)
  await job.close()
  const again = await open(folder)
  expect(again.previous).toMatchObject({ finished: { at: head.began, rows: 2 } })
  expect(again.previous?.accepted.size).toBe(0)
  const names = await readdir(join(folder, 'job'))
  expect(names.filter(name => !name.startsWith('lock-'))).toEqual(['rows.log'])
})

test('a job that was lost begins with the same keys', async () => {
  const keys = await Promise.all(
    [1, 2].map(async () => {
      const job = await open(await temporaryFolder())
      await job.start(head)
      return job.getIdempotencyKey('a')
    }),
  )
  expect(new Set(keys).size).toBe(1)
})

test.each([
  ['the same file goes on', false, {}, 'resumes'],
  ['the same file is not begun again by mistake', false, { again: true }, /not finished/],
  ['a changed file is refused', false, { digest: 'e' }, /has changed/],
  ['a changed file goes on with new rows', false, { digest: 'e', newRows: true }, 'resumes'],
  ['a changed file is begun again', false, { digest: 'e', again: true }, 'begins'],
  ['a finished file is refused', true, {}, /nothing was sent now/],
  ['a finished file is sent again on request', true, { again: true }, 'begins'],
  ['another file after a finished one begins', true, { digest: 'e' }, 'begins'],
  ['new rows of a finished file are not known', true, { newRows: true }, /not known any more/],
])('%s', async (_, isFinished, more, outcome) => {
  const folder = await temporaryFolder()
  if (isFinished) {
    const job = await left(folder)
    await job.resume('d')
    await job.finish(head.began, 2)
    await job.close()
  } else await (await left(folder)).close()
  const job = await open(folder)
  const before = await readFile(join(folder, 'job', 'rows.log'), 'utf8')
  const chosen = startOrResumeJob(job, wish(more))
  if (typeof outcome !== 'string') {
    await expect(chosen).rejects.toThrow(outcome)
    expect(await readFile(join(folder, 'job', 'rows.log'), 'utf8')).toBe(before)
    return
  }
  await chosen
  expect(job.getAccepted('a')).toEqual(outcome === 'resumes' ? message : undefined)
  await job.close()
  const kept = (await open(folder)).previous
  expect(kept?.head.digest).toBe((more as Partial<RunOptions>).digest ?? 'd')
  expect(kept?.finished).toBeUndefined()
})

test('what cannot be written ends in a sentence', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  await appendFile(join(folder, 'file'), 'x')
  await expect(BulkJob.open(join(folder, 'file', 'job'), 'name')).rejects.toMatchObject({
    code: 'configuration',
  })
})
