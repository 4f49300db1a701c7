import { type FileHandle, open } from 'node:fs/promises'

const chunkSize = 64 * 1024
const lineFeed = 0x0a

/** The lines of a file, the last first, without their line feeds; empty ones are left out. */
export async function* readLinesBackward(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let end = (await file.stat()).size; end > 0; ) {
      const start = Math.max(end - chunkSize, 0)
      const bytes = Buffer.concat([await readPart(file, start, end), rest])
      end = start
      const first = start === 0 ? 0 : bytes.indexOf(lineFeed) + 1
      rest = bytes.subarray(0, first)
      if (first === 0 && start > 0) rest = bytes
      else yield* splitReversed(bytes.subarray(first))
    }
  } finally {
    await file.close()
  }
}

function splitReversed(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n')
  return lines.filter(line => line !== '').reverse()
}

async function readPart(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
  return bytes.subarray(0, bytesRead)
}
