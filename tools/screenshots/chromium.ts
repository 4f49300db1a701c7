import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** The packed Chromium's own flags switch the web's rules off (`--disable-web-security`); the dashboard is to hold with them on. */
const chromiumFlags = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none']

/**
 * Starts Chromium: the one that `SMSRELAY_CHROMIUM` names, else the packed one, which runs on Linux on x64 and is unpacked into the
 * directory of temporary files once. Rejects where it cannot start.
 */
export async function startChromium(): Promise<Browser> {
  const own = process.env.SMSRELAY_CHROMIUM
  if (own === undefined && !(process.platform === 'linux' && process.arch === 'x64'))
    throw new Error(
      'The packed Chromium runs on Linux on x64; name another with SMSRELAY_CHROMIUM.',
    )
  packed.setGraphicsMode = false
  const executablePath = own ?? (await packed.executablePath())
  // The packed fonts, so that pages look the same everywhere.
  const env = { ...process.env, FONTCONFIG_PATH: join(tmpdir(), 'fonts') }
  return await chromium.launch({ args: chromiumFlags, executablePath, env })
}
