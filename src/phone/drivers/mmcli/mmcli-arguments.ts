import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes the arguments that create a text, and takes back what they need. The rules of `key=value` (libmm-glib): a value
 * in single or double quotes ends at the next quote of that kind, and nothing can be escaped. So the kind that the text
 * has not is used; a text with both goes by way of a file that only this user can read, which takes an mmcli that knows
 * `--messaging-create-sms-with-text`.
 */
export async function withTextArguments<T>(
  number: string,
  text: string,
  use: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  const quote = [`'`, '"'].find(each => !text.includes(each))
  if (quote !== undefined) {
    return await use([`--messaging-create-sms=number=${number},text=${quote}${text}${quote}`])
  }
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  try {
    const path = join(folder, 'text')
    await writeFile(path, text, { mode: 0o600 })
    return await use([
      `--messaging-create-sms=number=${number}`,
      `--messaging-create-sms-with-text=${path}`,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
