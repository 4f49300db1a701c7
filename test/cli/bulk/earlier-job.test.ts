import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BulkJob } from '../../../src/cli/bulk/bulk-job.js'
import { temporaryFolder } from '../../temporary-folder.js'

// The job of an earlier version that was stopped: row-a was accepted, row-b tried, row-c refused.
const fixture = new URL('../../fixtures/bulk-job/', import.meta.url).pathname

test('an unfinished job of an earlier version is resumed where it stopped', async () => {
  const folder = join(await temporaryFolder(), 'job')
  await cp(fixture, folder, { recursive: true })
  const job = await BulkJob.open(folder, 'newsletter')
  onTestFinished(async () => await job.close())
  const began = '2023-11-14T22:13:20.000Z'
  expect(job.previous).toMatchObject({ head: { digest: 'digest-of-the-file', began, run: 0 } })
  expect(job.previous?.finished).toBeUndefined()
  await job.resume('digest-of-the-file')
  const id = '018bcfe5-6800-7000-8000-000000000001'
  expect(job.getAccepted('row-a')).toEqual({ id, status: 'N' })
  const tries = ['row-a', 'row-b', 'row-c'].map(row => job.getFirstTry(row))
  expect(tries).toEqual([undefined, 1_700_000_000_001, undefined])
  const key = 'bulk-po3_t5-ql7USH-RC8CYhr3q8_03OU1abeWibPrGj-pA'
  expect(job.getIdempotencyKey('row-b')).toBe(key)
})
