import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { getMedian } from './median.js'

const flushCount = 200

/** The processor, memory, system, load, and the time of one flush of the disk with `base`. */
export async function describeMachine(base: string): Promise<string> {
  const [{ model } = { model: 'unknown processor' }] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const flush = `fdatasync of 300 bytes ${(await measureFlush(base)).toFixed(2)} ms`
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)}`
  const { platform, versions } = process
  const cores = availableParallelism()
  return `${cores} × ${model}, ${memory}, ${platform}, Node ${versions.node}; ${flush}; ${load}`
}

/** Median milliseconds of an append and its flush. */
async function measureFlush(base: string): Promise<number> {
  const directory = mkdtempSync(join(base, 'smsrelay-flush-'))
  const file = await open(join(directory, 'journal'), 'w')
  const line = Buffer.alloc(300, 'x')
  const times: number[] = []
  try {
    for (let at = 0; at < flushCount; at += 1) {
      const from = performance.now()
      await file.write(line)
      await file.datasync()
      times.push(performance.now() - from)
    }
  } finally {
    await file.close()
    rmSync(directory, { recursive: true })
  }
  return getMedian(times)
}
