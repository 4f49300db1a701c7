import fs from 'node:fs'
import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { devNull } from 'node:os'
import { basename } from 'node:path'

type Call = (...given: unknown[]) => unknown

/**
 * Calls `onStep` before each write, sync, truncation, rename and removal of a file, and with half
 * of the bytes in the file for each write of a journal. Resolves to a function that ends this.
 */
export async function watchFileSteps(onStep: (step: string) => void): Promise<() => void> {
  const paths = new Map<number, string>()
  const undo: (() => void)[] = []
  const replace = (owner: object, name: string, create: (original: Call) => Call): void => {
    const calls = owner as Record<string, Call>
    const original = calls[name] as Call
    calls[name] = create(original)
    undo.push(() => {
      calls[name] = original
    })
  }
  const { writeSync } = fs
  const beforeCall = (name: string, fd: number, given: unknown[]): void => {
    const file = basename(paths.get(fd) ?? '')
    const [bytes, offset, length, position] = given as [Buffer, number, number, number]
    const isTorn = name === 'write' && file.startsWith('journal')
    if (isTorn) writeSync(fd, bytes, offset, length >> 1, position)
    onStep(`${isTorn ? 'within' : 'before'} ${name} of ${file}`)
  }
  replace(files, 'open', original => async (path, ...rest) => {
    const file = (await original(path, ...rest)) as FileHandle
    paths.set(file.fd, String(path))
    return file
  })
  for (const name of ['rename', 'rm']) {
    replace(files, name, original => async (path, ...rest) => {
      onStep(`before ${name} of ${basename(String(path))}`)
      return await original(path, ...rest)
    })
  }
  for (const name of ['writeSync', 'fdatasyncSync']) {
    replace(fs, name, original => (fd, ...rest) => {
      beforeCall(name, fd as number, rest)
      return original(fd, ...rest)
    })
  }
  // All handles share a prototype, which can only be reached through a handle.
  const handle = await files.open(devNull)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  for (const name of ['write', 'writeFile', 'sync', 'datasync', 'truncate']) {
    replace(
      prototype,
      name,
      original =>
        async function (this: FileHandle, ...given: unknown[]) {
          beforeCall(name, this.fd, given)
          return await original.apply(this, given)
        } as Call,
    )
  }
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
  }
}
