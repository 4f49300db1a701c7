#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `smsrelay needs Node 20.19 or newer; this is Node ${process.versions.node}. ` +
      'Install a newer Node (https://nodejs.org) and try again.\n',
  )
  process.exitCode = 1
} else {
  const { existsSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  const root = fileURLToPath(new URL('..', import.meta.url))
  if (existsSync(new URL('../dist/main.js', import.meta.url))) {
    const { main } = await import('../dist/main.js')
    await main({ argv: process.argv.slice(2), root })
  } else {
    process.stderr.write(
      `smsrelay in ${root} is not built yet. Run there: npm ci && npm run build\n`,
    )
    process.exitCode = 1
  }
}
