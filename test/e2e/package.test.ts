import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeHome, program, serve } from './program.js'

const exec = promisify(execFile)
const root = join(program, '..', '..')

test('the packed program works when it is installed globally in an empty prefix', async () => {
  const { dir } = await makeHome()
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', dir]
  const [packed] = JSON.parse((await exec('npm', pack, { cwd: root })).stdout)
  const files: string[] = packed.files.map((file: { path: string }) => file.path)
  expect(files).toContain('oclif.manifest.json')
  expect(
    files.filter(file =>
      /^(dist\/)?(test|tools|src)\/|^(src|commands|docs\/pictures)\//.test(file),
    ),
  ).toEqual([])

  const prefix = join(dir, 'prefix')
  await mkdir(prefix)
  const install = ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit']
  await exec('npm', [...install, join(dir, packed.filename)], { cwd: dir })
  const home = await makeHome([join(prefix, 'bin', 'smsrelay')])
  expect((await home.run(['--version'])).stdout).toMatch(/^smsrelay \d+\.\d+\.\d+\n$/)
  expect((await home.run(['--help'])).stdout).toContain('serve')
  const { url } = await serve(home)
  const page = await (await fetch(`${url}/login`)).text()
  const loaded = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    found => found[1] ?? '',
  )
  const statuses = loaded.map(async path => (await fetch(url + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200])
  const installed = join(prefix, 'lib', 'node_modules', 'smsrelay')
  const licences = await readFile(join(installed, 'dist', 'public', 'LICENSES.txt'), 'utf8')
  expect(licences).toMatch(/^idiomorph /m)
  const packages = await readdir(join(installed, 'node_modules'))
  expect(packages).toContain('express')
  expect(packages).not.toContain('idiomorph')
  const sent = await home.run(['message', 'send', '+12025550123', 'Hello', '--json'])
  expect(JSON.parse(sent.stdout)).toMatchObject({ status: 'N' })
}, 360_000)
