import { spawnSync } from 'node:child_process'

/** Whether a program is there; where it is not, says once which tests are skipped and what to install. */
export function isInstalled(program: string, skipped: string): boolean {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) return true
  console.warn(`Skipped: ${skipped}. ${program} is not installed; apt install ${program}.`)
  return false
}
