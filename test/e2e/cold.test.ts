import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Home, makeHome, program, serve } from './program.js'

/** Prints which modules of Node are loaded that start slowly; undici is fetch. */
const printSlowModules = [
  "data:text/javascript,process.on('exit', () =>",
  'console.error(JSON.stringify(process.moduleLoadList.filter(name =>',
  '/undici|^NativeModule (child_process|crypto|https|readline|tls|worker_threads)$/.test(name)))))',
].join('')

/** What the classes of fetch load, which ky needs. */
const fetchModules = [
  ...['NativeModule crypto', 'NativeModule tls', 'NativeModule worker_threads'],
  'NativeModule internal/deps/undici/undici',
]

/** Runs the program and lists the files that it loaded, from V8's coverage report. */
async function runWithCoverage(home: Home, coverage: string, args: readonly string[]) {
  const command = ['--import', printSlowModules, program, ...args]
  const ran = await (
    await makeHome([process.execPath], { ...home.env, NODE_V8_COVERAGE: coverage })
  ).run(command)
  const [report = ''] = await readdir(coverage)
  const { result } = JSON.parse(await readFile(join(coverage, report), 'utf8'))
  const urls: string[] = result.map((script: { url: string }) => script.url)
  return { ...ran, files: urls.filter(url => url.startsWith('file:')) }
}

test.each([
  ['a command with requests', ['message', 'send', '+12025550123', 'Hello'], 9, fetchModules],
  ['the version', ['--version'], 5, []],
])('%s loads a few files, no package and few slow modules of Node', async (...each) => {
  const [, args, most, slow] = each
  const home = await makeHome()
  await serve(home)
  const { code, stderr, files } = await runWithCoverage(home, join(home.dir, 'coverage'), args)
  expect(code).toBe(0)
  // Notes of the command come first.
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toEqual(slow)
  expect(files.filter(file => /node_modules|\/chunks\/(common|relay)\.js$/.test(file))).toEqual([])
  expect(files.length).toBeGreaterThan(2)
  expect(files.length).toBeLessThanOrEqual(most)
})

test('administration loads the relay from a few files with most of its packages', async () => {
  const home = await makeHome()
  await serve(home)
  const args = ['account', 'list', '--data', join(home.dir, 'data')]
  const { code, files } = await runWithCoverage(home, join(home.dir, 'coverage'), args)
  expect(code).toBe(0)
  const bundled = /node_modules\/(zod|lowdb|libphonenumber-js|uuid|helmet|@kitajs)\//
  expect(files.filter(file => bundled.test(file))).toEqual([])
  const ofServe = /node_modules\/(pino|sonic-boom)\//
  expect(files.filter(file => ofServe.test(file))).toEqual([])
  const own = files.filter(file => !file.includes('node_modules'))
  expect(own.filter(file => file.endsWith('/dist/chunks/relay.js'))).toHaveLength(1)
  expect(own.length).toBeLessThanOrEqual(30)
})
