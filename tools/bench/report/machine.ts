import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from './figure.js'

const flushes = 200

/** Describes the machine in one line, with the time of a sync of its disk. */
export async function machine(base: string): Promise<string> {
  const [{ model } = { model: 'unknown processor' }] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const flush = `fdatasync of 300 bytes ${(await flushTime(base)).toFixed(2)} ms`
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)}`
  const system = `${process.platform}, Node ${process.versions.node}`
  return `${availableParallelism()} × ${model}, ${memory}, ${system}; ${flush}; ${load}`
}

/** Median milliseconds to append a line and sync it. */
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
