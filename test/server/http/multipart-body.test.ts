import { expect, test } from 'vitest'
import { parseMultipart } from '../../../src/server/http/multipart-body.js'

const type = 'multipart/form-data; boundary=x'

function part(name: string, value: string, headers = ''): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n${value}\r\n`
}

test('a file becomes a field with its bytes only with the option files', async () => {
  const bytes = Buffer.from([0, 0xff, 0x0d, 0x0a, 0x31])
  const head = Buffer.from(
    `${part('a', '1')}--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n`,
  )
  const body = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
  expect({ ...(await parseMultipart(body, type, true)) }).toEqual({ a: '1', f: bytes })
  expect({ ...(await parseMultipart(body, type)) }).toEqual({ a: '1' })
})

const sizes = [16 * 1024 - 1, 16 * 1024, 64 * 1024, 64 * 1024 + 1, 255 * 1024, 4 * 1024 * 1024]
const binary = '\r\nContent-Type: application/octet-stream'

test.each(sizes)('files and binary fields of %i bytes are parsed', async size => {
  for (const value of ['x'.repeat(size), '\r\n'.repeat(size / 2)]) {
    const first = part('f', value, '; filename="f"')
    const body = Buffer.from(`${first}${part('b', value, binary)}${part('a', value)}--x--\r\n`)
    expect({ ...(await parseMultipart(body, type)) }).toEqual({ a: value })
    const { a, b, f } = await parseMultipart(body, type, true)
    expect([String(f) === value, String(b) === value, a === value]).toEqual([true, true, true])
  }
})

test('a file and a field with the same name are rejected', async () => {
  const twice = part('a', '1') + part('a', '2', '; filename="f"')
  const parsed = parseMultipart(Buffer.from(`${twice}--x--`), type, true)
  await expect(parsed).rejects.toThrow('must be given once')
})
