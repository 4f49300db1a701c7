import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'

export const message = { id: 'm-1', destination: '+12025550123', text: 'Hello' }

/** Creates programs for the exec driver in a folder of this test file. */
export function usePrograms() {
  let folder: string
  let count = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'smsrelay-exec-'))
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  const script = async (code: string) => {
    const path = join(folder, `program ${++count}.mjs`)
    await writeFile(path, code)
    return path
  }
  const driver = async (code: string, options: Record<string, string> = {}, env = process.env) => {
    const command = quoted(process.execPath, await script(code), 'given')
    return createDriver('exec', { command, ...options }, { env })
  }
  const createFile = () => {
    const path = join(folder, `output ${++count}`)
    const read = () => readFile(path, 'utf8').catch(() => '')
    return {
      path: JSON.stringify(path),
      read,
      written: () => expect.poll(read).not.toBe(''),
    }
  }
  return { script, driver, createFile }
}

export function quoted(...words: string[]): string {
  return words.map(word => `'${word}'`).join(' ')
}

export async function isAlive(pid: string): Promise<boolean> {
  try {
    process.kill(Number(pid), 0)
  } catch {
    return false
  }
  // In many containers process 1 does not reap orphans, so they stay as zombies.
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !state.includes(') Z ')
}
