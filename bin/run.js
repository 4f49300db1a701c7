#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `smsrelay needs Node 20.19 or newer; this is Node ${process.versions.node}. ` +
      'Install a newer Node (https://nodejs.org) and try again.\n',
  )
  process.exitCode = 1
} else {
  const { execute } = await import('@oclif/core')
  await execute({ dir: import.meta.url })
}
