import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Io } from './io.js'

/**
 * Opens an http or https address in the user's browser. False if there is no browser that can be
 * started from here, such as in a session without a display.
 */
export async function openInBrowser(
  url: string,
  env: Io['env'],
  platform = process.platform,
): Promise<boolean> {
  const opener = findOpener(env, platform)
  if (opener === undefined) return false
  const [program, ...args] = opener
  try {
    const options = { env: { ...env }, stdio: 'ignore', detached: true } as const
    const child = spawn(program, [...args, url], options)
    await once(child, 'spawn')
    child.unref()
    return true
  } catch {
    return false
  }
}

function findOpener(env: Io['env'], platform: string): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasDisplay = [env.DISPLAY, env.WAYLAND_DISPLAY].some(each => (each ?? '') !== '')
  return hasDisplay ? ['xdg-open'] : undefined
}
