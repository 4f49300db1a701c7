import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of scripts that replace programs, and an environment whose PATH finds them. */
export interface StandIns {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Adds a script of sh: `$here` is the folder, `note NAME "$@"` records the arguments. */
  add(name: string, script: string): Promise<void>
  /** The arguments of the calls recorded under a name. */
  calls(name: string): Promise<string[][]>
  write(name: string, text: string): Promise<void>
  read(name: string): Promise<string>
}

const head = (folder: string) => `#!/bin/sh
here='${folder}'
note() { name=$1; shift
{ for each; do printf '%s\\0' "$each"; done; printf '\\036'; } >> "$here/$name.calls"; }
`

export async function createStandIns(): Promise<StandIns> {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-programs-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'bin'))
  const read = async (name: string) => await readFile(join(folder, name), 'utf8').catch(() => '')
  return {
    folder,
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, LANG: 'de_DE.UTF-8', LANGUAGE: 'de' },
    async add(name, script) {
      const path = join(folder, 'bin', name)
      await writeFile(path, head(folder) + script)
      await chmod(path, 0o755)
    },
    async calls(name) {
      const all = (await read(`${name}.calls`)).split('\x1e').slice(0, -1)
      return all.map(call => call.split('\0').slice(0, -1))
    },
    write: async (name, text) => await writeFile(join(folder, name), text),
    read,
  }
}

/** Texts that programs have handled wrongly. */
export const awkward = [
  'Hello',
  '-rf --help',
  '-',
  '--',
  '-n',
  '\\n \\t \\c \\0101 \\\\',
  '$(touch x) `id` ; rm * | cat > y & %PATH% "quoted" \\',
  'it’s "both", it\'s fine',
  "it's, a=b, text='x'",
  'say "a", b="c"',
  'two\nlines\r\nand\ttabs',
  'grüße é€ [{~}] 😀',
  'a~b~~c ж ~',
  'ends with a line\n',
  ' begins with a space',
  'x'.repeat(1600),
  '😀'.repeat(800),
] as const
