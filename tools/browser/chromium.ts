import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** The packed Chromium's own flags are not used: they disable the same-origin policy. */
const chromiumFlags = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none']

/**
 * Starts the Chromium that `SMSRELAY_CHROMIUM` names. The default is the packed one, which runs on
 * Linux on x64 and is unpacked once into the directory for temporary files. Throws if it cannot
 * start.
 */
export async function startChromium(): Promise<Browser> {
  const own = process.env.SMSRELAY_CHROMIUM
  if (own === undefined && !(process.platform === 'linux' && process.arch === 'x64'))
    throw new Error(
      'The packed Chromium runs only on Linux on x64. Name another one in SMSRELAY_CHROMIUM.',
    )
  packed.setGraphicsMode = false
  const executablePath = own ?? (await packed.executablePath())
  // Use the packed fonts, so that pages look the same everywhere.
  const env = { ...process.env, FONTCONFIG_PATH: join(tmpdir(), 'fonts') }
  return await chromium.launch({ args: chromiumFlags, executablePath, env })
}
