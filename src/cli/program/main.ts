// The start of the program, which `bin/run.js` calls:
//
// 1. `main` completes the environment, prints any error in one line, wherever it is thrown, and
//    sets the exit code.
// 2. `run-command-line` finds out whether a command, help or the version is meant. `suggest` finds
//    the command that a mistyped one resembles.
// 3. `load-command` looks the command up in dist/commands.json and imports its file, so that no
//    other command is loaded. `load-command` replaces oclif's own configuration, which is slow.
// 4. Help comes from oclif in the form of `command-help`, or from `help-topics`.
import { userInfo } from 'node:os'
import { hasJsonFlag, reportError } from '../command/report-error.js'
import { exitCodes } from '../terminal/exit-codes.js'
import { isBrokenPipe } from '../terminal/interruption.js'
import { type Io, processIo } from '../terminal/io.js'
import { hideSecrets } from '../terminal/process-title.js'

export interface MainOptions {
  readonly argv: readonly string[]
  readonly root: string
  readonly io?: Io
}

export async function main({ argv, root, io = processIo }: MainOptions): Promise<void> {
  hideSecrets(argv)
  completeEnvironment(process.env)
  const json = hasJsonFlag(argv, io.env)
  reportUncaughtErrors(io, json)
  try {
    const { runCommandLine } = await import('./run-command-line.js')
    await runCommandLine(argv, root, io)
  } catch (error) {
    await reportError(error, io, json)
  }
}

/**
 * Completes what containers and services leave out or empty, once for Node, oclif and all programs
 * that commands start: without HOME or SHELL, `os.homedir()` and oclif throw for a user id that has
 * no entry in passwd. TZ as for POSIX (`:Europe/Berlin`, a path) has a name that Intl knows.
 */
function completeEnvironment(env: NodeJS.ProcessEnv): void {
  const zone = (env.TZ ?? '')
    .trim()
    .replace(/^:/, '')
    .replace(/^.*\/zoneinfo\//, '')
  if (/^(?:\/etc\/)?(?:localtime)?$/.test(zone)) delete env.TZ
  else env.TZ = zone
  if (process.platform === 'win32' || (env.HOME && env.SHELL)) return
  const { homedir = '/', shell = null } = findUser()
  env.HOME ||= homedir
  env.SHELL ||= shell ?? '/bin/sh'
}

function findUser(): { homedir?: string; shell?: string | null } {
  try {
    return userInfo()
  } catch {
    return {}
  }
}

/**
 * Prints an error that no command caught, such as a full disk behind stdout, and ends the process,
 * whose state is unknown.
 */
function reportUncaughtErrors(io: Io, json: boolean): void {
  let reported: unknown
  const report = (error: unknown, toJson: boolean): void => {
    // oclif throws an error of stdout again.
    if (isBrokenPipe(error) || error === reported) return
    const end = () => io.forceExit(exitCodes.failed)
    if (reported === undefined) reportError(error, io, toJson).then(end, end)
    else end()
    reported = error
  }
  io.stderr.on('error', () => undefined)
  // Nothing can be printed on stdout any more.
  io.stdout.on('error', error => report(error, false))
  process.on('uncaughtException', error => report(error, json))
  process.on('unhandledRejection', error => report(error, json))
}
