import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { selfSigned } from './certificate.js'
import { temporaryFolder } from './temporary-folder.js'

/** Writes a certificate and its key to files, which `replace` swaps as certbot does. */
export async function writeCertificate() {
  const folder = await temporaryFolder()
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const replace = async (part: 'cert' | 'key', text: string): Promise<void> => {
    await writeFile(`${files[part]}.new`, text)
    await rename(`${files[part]}.new`, files[part])
  }
  await replace('cert', selfSigned.cert)
  await replace('key', selfSigned.key)
  return { files, replace }
}
