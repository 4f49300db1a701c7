import { hasJsonFlag, reportError } from '../command/report-error.js'
import { exitCodes } from '../terminal/exit-codes.js'
import { isBrokenPipe } from '../terminal/interruption.js'
import { type Io, processIo } from '../terminal/io.js'

/** What the program is started with. */
export interface MainOptions {
  readonly argv: readonly string[]
  /** The package's directory: where package.json and the manifest are. */
  readonly root: string
  readonly io?: Io
}

/** Runs one command line to its end; an error, wherever it comes from, is told in one line and sets the exit code. */
export async function main({ argv, root, io = processIo }: MainOptions): Promise<void> {
  const json = hasJsonFlag(argv)
  reportUncaughtErrors(io, json)
  try {
    const { runCommandLine: dispatch } = await import('./run-command-line.js')
    await dispatch(argv, root, io)
  } catch (error) {
    await reportError(error, io, json)
  }
}

/**
 * What escapes every command, such as a full disk behind stdout, would end in a stack trace: it is told in one
 * line, and the process ends, because nobody knows what state it is in.
 */
function reportUncaughtErrors(io: Io, json: boolean): void {
  let told = false
  const tell = (error: unknown) => {
    if (isBrokenPipe(error)) return
    const end = () => io.forceExit(exitCodes.failed)
    if (told) return end()
    told = true
    reportError(error, io, json).then(end, end)
  }
  io.stderr.on('error', () => undefined)
  process.on('uncaughtException', tell)
  process.on('unhandledRejection', tell)
}
