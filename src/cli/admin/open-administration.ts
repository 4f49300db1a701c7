import { getDefaultDataDir } from '../profile/directories.js'

/** An open data directory. */
export interface Closable {
  close(): Promise<void>
}

/** Opens a data directory with the server, which only commands may import. */
export type OpenAdministration<A extends Closable> = (dataDir: string) => Promise<A>

/** Opens a data directory, by default the user's, calls `use` and closes it. */
export async function withAdministration<A extends Closable, T>(
  open: OpenAdministration<A>,
  data: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  use: (administration: A) => Promise<T>,
): Promise<T> {
  const administration = await open(data ?? getDefaultDataDir(env))
  try {
    return await use(administration)
  } finally {
    await administration.close()
  }
}
