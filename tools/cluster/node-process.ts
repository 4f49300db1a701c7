import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Part, type Print, restartDelay } from './part.js'

const programPath = join(import.meta.dirname, '..', '..', '..', 'bin', 'run.js')

interface NodeSettings {
  readonly name: string
  /** Port of the node; with 0 it keeps the one that its first start gets. */
  readonly port: number
  readonly database: string
  readonly baseUrl: string
  /** Directory of the profile of the owner, which ends with the cluster. */
  readonly configDir: string
}

/** Starts a node; resolves when it listens. It is started again when it has ended. */
export async function startNode(settings: NodeSettings, print: Print): Promise<Part> {
  let isStopping = false
  let child = spawnNode(settings)
  const { url } = await readUntilListening(child, settings, print)
  const run = async (): Promise<void> => {
    for (;;) {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      if (isStopping) return
      print(`${settings.name} ended (${child.signalCode ?? `exit code ${child.exitCode}`})`)
      await sleep(restartDelay)
      if (isStopping) return
      child = spawnNode({ ...settings, port: Number(new URL(url).port) })
      await readUntilListening(child, settings, print).catch(() => {})
    }
  }
  const ended = run()
  return {
    url,
    stop: async () => {
      isStopping = true
      child.kill('SIGTERM')
      await ended
    },
  }
}

function spawnNode({ name, port, database, baseUrl, configDir }: NodeSettings): ChildProcess {
  const args = ['serve', '--json', '--port', String(port), '--base-url', baseUrl]
  args.push('--log-format', 'text', '--log-level', 'warn')
  const child = spawn(process.execPath, [programPath, ...args], {
    env: { ...process.env, SMSRELAY_DATABASE_URL: database, SMSRELAY_CONFIG_DIR: configDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const logs = createInterface({ input: child.stderr })
  logs.on('line', line => process.stderr.write(`${name}: ${line}\n`))
  return child
}

async function readUntilListening(
  child: ChildProcess,
  { name, baseUrl }: NodeSettings,
  print: Print,
): Promise<{ readonly url: string }> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  try {
    for await (const line of lines) {
      const value = JSON.parse(line)
      if (value.event === 'listening') {
        print(`${name}      ${value.url}  pid ${child.pid}`)
        return value
      }
      print(formatKeys(value, baseUrl))
    }
  } finally {
    lines.close()
    child.stdout?.resume()
  }
  throw new Error(`${name} did not start.`)
}

/** The lines with which another terminal uses the owner's account. */
function formatKeys(keys: Record<string, string>, url: string): string {
  const { email, password, secret_key: secret, api_key: api, app_key: app } = keys
  return `
Dashboard: ${url} (e-mail ${email}, password ${password})
Paste this in other terminals:

  export SMSRELAY_URL=${url}
  export SMSRELAY_SECRET_KEY=${secret}
  export SMSRELAY_API_KEY=${api}
  export SMSRELAY_APP_KEY=${app}
`
}
