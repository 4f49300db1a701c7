import { readCommandLine } from '../reference/command-manifest.js'
import { exitCodeMeanings, jsonErrorText } from '../reference/exit-code-meanings.js'
import { formatEnvironment } from '../reference/variables.js'
import { wrapText } from '../terminal/terminal-text.js'

/**
 * For `smsrelay help TOPIC`, where TOPIC has no commands; `root` is the folder of the package, and
 * `columns` is the width of the text.
 */
export const helpTopics: Readonly<
  Record<string, (root: string, columns: number) => Promise<string>>
> = {
  'exit-codes': async (_root, columns) => formatExitCodes(columns),
  environment: async (root, columns) => formatEnvironment(await readCommandLine(root), columns),
}

function formatExitCodes(columns: number): string {
  const codes = exitCodeMeanings.map(([code, meaning]) => {
    return `${String(code).padStart(5)}  ${wrapText(meaning, columns - 8, '       ').trimStart()}`
  })
  return [
    'Every command ends with one of these codes, with and without --json.',
    ['EXIT CODES', ...codes].join('\n'),
    wrapText(jsonErrorText, columns),
  ].join('\n\n')
}
