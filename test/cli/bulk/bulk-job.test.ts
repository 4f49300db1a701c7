import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BulkJob } from '../../../src/cli/bulk/bulk-job.js'
import { type RunOptions, startOrResumeJob } from '../../../src/cli/bulk/resume-job.js'
import { temporaryFolder } from '../../temporary-folder.js'

const head = { digest: 'd', began: '2026-11-21T00:00:00.000Z' }
const message = { id: 'm1', status: 'N' }

function accept(identity: string) {
  return { identity, outcome: { outcome: 'accepted', message } as const }
}

async function open(folder: string): Promise<BulkJob> {
  const job = await BulkJob.open(join(folder, 'job'), 'name')
  onTestFinished(async () => await job.close())
  return job
}

/** Stops a job with one row accepted and one tried, and opens it again. */
async function openStoppedJob(folder: string): Promise<BulkJob> {
  const job = await open(folder)
  await job.start(head)
  await job.recordTries(['a'], 1)
  await job.recordTries(['b', 'c'], 2)
  await job.recordResults([
    accept('a'),
    { identity: 'c', outcome: { outcome: 'refused', reason: 'x' } },
  ])
  await job.close()
  return await open(folder)
}

function createOptions(more: Partial<RunOptions> = {}): RunOptions {
  return { digest: 'd', again: false, newRows: false, now: head.began, ...more }
}

test('a stopped job has its accepted and its tried rows', async () => {
  const job = await openStoppedJob(await temporaryFolder())
  await startOrResumeJob(job, createOptions())
  expect(job.getAccepted('a')).toEqual(message)
  expect([job.getFirstTry('a'), job.getFirstTry('b'), job.getFirstTry('c')]).toEqual([
    undefined,
    2,
    undefined,
  ])
})

test('a torn write is truncated, and the job can be continued', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'job', 'rows.log')
  await (await openStoppedJob(folder)).close()
  const { size } = await stat(path)
  for (const cut of [1, 5, 40]) {
    await truncate(path, size - cut)
    const job = await open(folder)
    await job.resume('d')
    await job.recordResults([accept('b')])
    await job.close()
    const again = await open(folder)
    expect(again.previous?.accepted.get('b')).toEqual(message)
    await again.close()
  }
})

test('a log that is damaged in the middle is rejected', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'job', 'rows.log')
  await (await openStoppedJob(folder)).close()
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, [lines[0], 'x', ...lines.slice(2)].join('\n'))
  await expect(open(folder)).rejects.toMatchObject({ code: 'damaged_data' })
  await writeFile(path, 'something else\n')
  expect((await open(folder)).previous).toBeUndefined()
})

test('only one process can open a job', async () => {
  const folder = await temporaryFolder()
  await open(folder)
  await expect(open(folder)).rejects.toMatchObject({ code: 'directory_in_use' })
})

test('keys stay the same when a run is resumed, and change for the next run', async () => {
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
  await startOrResumeJob(third, createOptions({ again: true }))
  expect(third.getIdempotencyKey('a')).not.toBe(key)
})

test('a finished job stores only its end', async () => {
  const folder = await temporaryFolder()
  const job = await openStoppedJob(folder)
  await job.resume('d')
  await job.finish(head.began, 2)
  await job.close()
  const again = await open(folder)
  expect(again.previous).toMatchObject({ finished: { at: head.began, rows: 2 } })
  expect(again.previous?.accepted.size).toBe(0)
  const names = await readdir(join(folder, 'job'))
  expect(names.filter(name => !name.startsWith('lock-'))).toEqual(['rows.log'])
})

test('a job whose log was lost starts with the same keys', async () => {
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
  ['the same file resumes the job', false, {}, 'resumes'],
  ['--again is rejected before the job is finished', false, { again: true }, /--again/],
  ['a changed file is rejected', false, { digest: 'e' }, /--new-rows/],
  ['a changed file resumes with --new-rows', false, { digest: 'e', newRows: true }, 'resumes'],
  ['a changed file starts again with --again', false, { digest: 'e', again: true }, 'starts'],
  ['a finished file is rejected', true, {}, /--again/],
  ['a finished file starts again with --again', true, { again: true }, 'starts'],
  ['another file starts after a finished one', true, { digest: 'e' }, 'starts'],
  ['--new-rows is rejected after a finished job', true, { newRows: true }, /--new-rows/],
])('%s', async (_, isFinished, more, outcome) => {
  const folder = await temporaryFolder()
  if (isFinished) {
    const job = await openStoppedJob(folder)
    await job.resume('d')
    await job.finish(head.began, 2)
    await job.close()
  } else await (await openStoppedJob(folder)).close()
  const job = await open(folder)
  const before = await readFile(join(folder, 'job', 'rows.log'), 'utf8')
  const chosen = startOrResumeJob(job, createOptions(more))
  if (typeof outcome !== 'string') {
    const hint = expect.stringMatching(outcome)
    await expect(chosen).rejects.toMatchObject({ code: 'invalid_state', hint })
    expect(await readFile(join(folder, 'job', 'rows.log'), 'utf8')).toBe(before)
    return
  }
  await chosen
  expect(job.getAccepted('a')).toEqual(outcome === 'resumes' ? message : undefined)
  await job.close()
  const stored = (await open(folder)).previous
  expect(stored?.head.digest).toBe((more as Partial<RunOptions>).digest ?? 'd')
  expect(stored?.finished).toBeUndefined()
})

test('a job that cannot be written is a configuration error', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  await appendFile(join(folder, 'file'), 'x')
  await expect(BulkJob.open(join(folder, 'file', 'job'), 'name')).rejects.toMatchObject({
    code: 'configuration',
  })
})
