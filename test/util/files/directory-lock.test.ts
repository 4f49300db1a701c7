import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  connectToHolder,
  type DirectoryLock,
  lockDirectory,
} from '../../../src/util/files/directory-lock.js'
import { compileLock, LockProcess } from './lock-processes.js'

let folder: string
let program: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smsrelay-lock-'))
  program = await compileLock(folder)
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

async function createFolder(): Promise<string> {
  return await mkdtemp(join(folder, 'd-'))
}

async function lock(directory: string): Promise<DirectoryLock> {
  const result = await lockDirectory(directory)
  onTestFinished(async () => {
    const names = await readdir(directory)
    if (names.length > 0) await result.release()
  })
  return result
}

/** Another path of a directory, and a command that runs a program where only that path exists. */
interface View {
  readonly path: string
  readonly command: readonly string[]
}

/** Runs a program with its own mounts and network, as a second container on the same volume. */
async function mountElsewhere(directory: string): Promise<View> {
  const path = await createFolder()
  const mount = 'mount --bind "$0" "$1" && shift && exec "$@"'
  return { path, command: ['unshare', '-mn', 'sh', '-c', mount, directory, path] }
}

async function linkElsewhere(directory: string): Promise<View> {
  const path = join(await createFolder(), 'link')
  await symlink(directory, path)
  return { path, command: [] }
}

const canMount = spawnSync('unshare', ['-mn', 'true']).status === 0
if (!canMount) console.warn('Skipped: bind mounts, because this user cannot create namespaces.')

async function removeAll(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(join(directory, name))
}

/** Leaves the socket of a process that has ended. */
async function leaveStale(directory: string): Promise<void> {
  const server = createServer().listen(join(directory, 'x'))
  await once(server, 'listening')
  await link(join(directory, 'x'), join(directory, 'lock-00000000'))
  server.close()
  await once(server, 'close')
}

describe('a directory', () => {
  test('is created with permissions for its owner only', async () => {
    const directory = join(await createFolder(), 'a', 'b')
    await lock(directory)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  test('that is locked is an error that names it and the process', async () => {
    const directory = await createFolder()
    await lock(directory)
    await expect(lockDirectory(directory)).rejects.toMatchObject({
      code: 'directory_in_use',
      message: expect.stringMatching(`\\b${process.pid}\\b.*${directory}`),
    })
  })

  test('that was released is free and empty', async () => {
    const directory = await createFolder()
    for (let time = 0; time < 3; time += 1) {
      const directoryLock = await lock(directory)
      await directoryLock.release()
      expect(await readdir(directory)).toEqual([])
      expect(await connectToHolder(directory)).toBeUndefined()
    }
  })

  test('stays locked after failed attempts of others', async () => {
    const directory = await createFolder()
    await lock(directory)
    const before = await readdir(directory)
    const tries = Array.from({ length: 5 }, () => lockDirectory(directory))
    for (const result of await Promise.allSettled(tries)) expect(result.status).toBe('rejected')
    expect(await readdir(directory)).toEqual(before)
    const socket = await connectToHolder(directory)
    expect(socket).toBeDefined()
    socket?.destroy()
  })

  test('whose path is too long is an error with the length that is allowed', async () => {
    const directory = join(await createFolder(), 'x'.repeat(100))
    await expect(lockDirectory(directory)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(directory),
      hint: expect.stringMatching(/at most \d+ bytes/),
    })
  })

  test('of exactly the allowed length is locked, one with a byte more is not', async () => {
    const base = await createFolder()
    const tooLong = await lockDirectory(join(base, 'x'.repeat(100))).catch(error => error.hint)
    const max = Number(/at most (\d+) bytes/.exec(tooLong)?.[1])
    const directory = join(base, 'y'.repeat(max - base.length - 1))
    await expect(lockDirectory(`${directory}y`)).rejects.toMatchObject({ code: 'configuration' })
    await lock(directory)
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' })
    ;(await connectToHolder(directory))?.destroy()
  })

  test('that is a file, or inside one, is an error that names it', async () => {
    const path = join(await createFolder(), 'file')
    await writeFile(path, '')
    for (const directory of [path, join(path, 'data')]) {
      const error = { code: 'configuration', message: expect.stringContaining(directory) }
      await expect(lockDirectory(directory)).rejects.toMatchObject(error)
    }
  })
})

test('the holder answers connections', async () => {
  const directory = await createFolder()
  const directoryLock = await lock(directory)
  directoryLock.serve(socket => socket.end('hello'))
  const socket = await connectToHolder(directory)
  const [text] = await once(socket ?? createServer(), 'data')
  expect(String(text)).toBe('hello')
})

test('a directory that does not exist is not locked', async () => {
  expect(await connectToHolder(join(await createFolder(), 'none'))).toBeUndefined()
})

describe('a locked directory is refused to a second process', () => {
  test.for([
    ['under the same path', async (path: string) => ({ path, command: [] })],
    ['under a symbolic link', linkElsewhere],
    ...(canMount ? [['through a bind mount in another container', mountElsewhere] as const] : []),
  ] as const)('%s, also without the socket', async ([, createView]) => {
    const directory = await createFolder()
    const { path, command } = await createView(directory)
    const [holder, other] = [
      await LockProcess.start(program),
      await LockProcess.start(program, command),
    ]
    expect(await holder.take(directory)).toBe('done')
    expect(await other.take(path)).toBe('directory_in_use')
    await removeAll(directory)
    expect(await other.take(path)).toBe('directory_in_use')
    await holder.kill()
    expect(await other.take(path)).toBe('done')
  })

  test('after its socket was removed and a first attempt was refused', async () => {
    const directory = await createFolder()
    await lock(directory)
    await removeAll(directory)
    for (let time = 0; time < 2; time += 1) {
      await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' })
    }
    expect(await readdir(directory)).toEqual([])
  })
})

describe('a process', () => {
  test('locks a directory until it is killed', async () => {
    const directory = await createFolder()
    const holder = await LockProcess.start(program)
    expect(await holder.take(directory)).toBe('done')
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' })
    await holder.kill()
    expect(await readdir(directory)).toHaveLength(1)
    expect(await connectToHolder(directory)).toBeUndefined()
    await lock(directory)
    expect(await readdir(directory)).toHaveLength(1)
  })

  test('is the only one of eight that locks a directory after an ended one', async () => {
    const racers = await Promise.all(Array.from({ length: 8 }, () => LockProcess.start(program)))
    for (let round = 0; round < 8; round += 1) {
      const directory = await createFolder()
      await leaveStale(directory)
      const at = Date.now() + 20
      const results = await Promise.all(racers.map(racer => racer.take(directory, at)))
      const refused = Array(7).fill('directory_in_use')
      expect(results.toSorted()).toEqual([...refused, 'done'].sort())
      await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' })
      await racers[results.indexOf('done')]?.release()
      expect(await readdir(directory)).toEqual([])
    }
  })
})
