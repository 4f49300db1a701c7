import { RelayError } from '../../errors.js'
import { invalidValueError } from '../terminal/parse-values.js'
import { cleanText } from '../terminal/terminal-text.js'

export interface JqProgram {
  /** Prints the results of the program, each with a line end. Throws `invalid_parameter`. */
  run(value: unknown): Promise<string>
}

/**
 * Compiles a jq program for the flag --jq; the package with the engine is loaded here. With `isRaw`
 * texts are printed without quotes. Throws `usage`.
 */
export async function loadJqProgram(program: string, isRaw: boolean): Promise<JqProgram> {
  const { raw } = await import('jq-wasm')
  // Compiles the program without running it. A line end ends a comment.
  const check = await raw('null', `empty | (${program}\n)`)
  if (check.exitCode !== 0) throw programError(program, check.stderr)
  return {
    async run(value) {
      const { exitCode, stdout, stderr } = await raw(JSON.stringify(value), program, [
        ...(isRaw ? ['-r'] : []),
        '-c',
      ])
      if (exitCode !== 0) throw runError(stderr)
      return stdout === '' ? '' : `${stdout}\n`
    },
  }
}

function programError(program: string, stderr: string): RelayError {
  const problem = getProblem(stderr).replace(/ at <top-level>.*/, '')
  const hint = 'See https://jqlang.org/manual.'
  return invalidValueError('--jq', program, `is not a valid program: ${problem}`, hint)
}

function runError(stderr: string): RelayError {
  return new RelayError('invalid_parameter', `The jq program failed: ${getProblem(stderr)}.`, {
    hint: 'Print the JSON that it gets with -o json.',
  })
}

/** The first line of an error of jq, without its name and the position in its input. */
function getProblem(stderr: string): string {
  const [line = ''] = cleanText(stderr).split('\n')
  return line.replace(/^jq: error(?: \(at [^)]*\))?: /, '')
}
