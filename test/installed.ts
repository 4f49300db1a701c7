import { spawnSync } from 'node:child_process'

/** Whether a program is installed; if not, prints the skipped tests and the package to install. */
export function isInstalled(program: string, skipped: string): boolean {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) return true
  console.warn(`Skipped: ${skipped}. ${program} is not installed; apt install ${program}.`)
  return false
}
