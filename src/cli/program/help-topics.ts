import { readCommandLine } from '../reference/command-manifest.js'
import { exitCodeMeanings, jsonErrorText } from '../reference/exit-code-meanings.js'
import { formatEnvironment } from '../reference/variables.js'
import { wrapText } from '../terminal/terminal-text.js'

/** For `smsrelay help TOPIC`, where TOPIC has no commands; `root` is the folder of the package. */
export const helpTopics: Readonly<Record<string, (root: string) => Promise<string>>> = {
  'exit-codes': async () => formatExitCodes(),
  environment: async root => formatEnvironment(await readCommandLine(root)),
}

function formatExitCodes(): string {
  const codes = exitCodeMeanings.map(([code, meaning]) => {
    return `${String(code).padStart(5)}  ${wrapText(meaning, 92, '       ').trimStart()}`
  })
  return [
    'Every command ends with one of these codes, with and without --json.',
    ['EXIT CODES', ...codes].join('\n'),
    wrapText(jsonErrorText, 100),
  ].join('\n\n')
}
