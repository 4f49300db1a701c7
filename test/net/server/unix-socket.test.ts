import { execFileSync } from 'node:child_process'
import { link, mkdir, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HttpServer } from '../../../src/net/server/http-server.js'
import { temporaryFolder } from '../../temporary-folder.js'

function openServer(): HttpServer {
  const server = new HttpServer((_, response) => response.sendJson(200, '{"ok":true}'))
  onTestFinished(async () => {
    if (server.isListening) await server.close(0)
  })
  return server
}

async function getStatus(socketPath: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    request({ socketPath, path: '/', agent: false }, response => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

test('a Unix socket has mode 0660, is served, and is removed at the end', async () => {
  const path = join(await temporaryFolder(), 'relay.sock')
  const server = openServer()
  expect(await server.listen({ path })).toBe(0)
  expect((await stat(path)).mode & 0o777).toBe(0o660)
  expect(server.address).toBeUndefined()
  expect(await getStatus(path)).toBe(200)
  await server.close(0)
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('the socket of a killed program is replaced', async () => {
  const path = join(await temporaryFolder(), 'relay.sock')
  const script = `
    require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`
  expect(() => execFileSync(process.execPath, ['-e', script, path])).toThrow()
  expect((await stat(path)).isSocket()).toBe(true)
  await openServer().listen({ path })
  expect(await getStatus(path)).toBe(200)
})

test('of two programs that replace a socket at once one listens', async () => {
  const folder = await temporaryFolder()
  const stale = join(folder, 'stale.sock')
  const script = `
    require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`
  expect(() => execFileSync(process.execPath, ['-e', script, stale])).toThrow()
  for (let round = 0; round < 50; round += 1) {
    const path = join(folder, `${round}.sock`)
    await link(stale, path)
    const starts = [openServer(), openServer()].map(server => server.listen({ path }))
    const results = await Promise.allSettled(starts)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await getStatus(path)).toBe(200)
  }
})

test('a socket on which another program listens stays', async () => {
  const path = join(await temporaryFolder(), 'relay.sock')
  await openServer().listen({ path })
  await expect(openServer().listen({ path })).rejects.toMatchObject({
    code: 'configuration',
    message: `Another program is listening on ${path}.`,
  })
  expect(await getStatus(path)).toBe(200)
})

test('a file or directory is not replaced', async () => {
  const folder = await temporaryFolder()
  const [file, directory] = [join(folder, 'file'), join(folder, 'directory')]
  await writeFile(file, 'text')
  await mkdir(directory)
  for (const [path, kind] of [
    [file, 'a file'],
    [directory, 'a directory'],
  ]) {
    await expect(openServer().listen({ path: path ?? '' })).rejects.toMatchObject({
      code: 'configuration',
      message: `${path} is ${kind} and not a socket.`,
    })
  }
  expect((await stat(file)).size).toBe(4)
})

test.each([
  ['missing/relay.sock', 'Cannot listen on the socket'],
  [`${'x'.repeat(120)}.sock`, 'The path of the socket is too long'],
])('the path %s is an error', async (name, message) => {
  const path = join(await temporaryFolder(), name)
  await expect(openServer().listen({ path })).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(message),
  })
})

test('a descriptor that is no socket is an error', async () => {
  await expect(openServer().listen({ fd: 9999 })).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('descriptor 9999'),
  })
})
