import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from './figure.js'

const flushes = 200

/** The machine in one line, with what a flush of its disk takes. */
export async function machine(base: string): Promise<string> {
  const [{ model } = { model: 'unknown processor' }] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const flush = `fdatasync of 300 bytes ${(await flushTime(base)).toFixed(2)} ms`
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)}`
  return `${availableParallelism()} × ${model}, ${memory}, ${process.platform}, Node ${process.versions.node}; ${flush}; ${load}`
}

/** Median milliseconds of appending a line and flushing it. */
async function flushTime(base: string): Promise<number> {
  const directory = mkdtempSync(join(base, 'smsrelay-flush-'))
  const file = await open(join(directory, 'journal'), 'w')
  const line = Buffer.alloc(300, 'x')
  const times: number[] = []
  try {
    for (let at = 0; at < flushes; at += 1) {
      const from = performance.now()
      await file.write(line)
      await file.datasync()
      times.push(performance.now() - from)
    }
  } finally {
    await file.close()
    rmSync(directory, { recursive: true })
  }
  return median(times)
}
