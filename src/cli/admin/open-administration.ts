import { getDefaultDataDir } from '../profile/directories.js'

/** Something that holds a data directory until it is closed. */
export interface Closable {
  close(): Promise<void>
}

/** How to get hold of a data directory; the caller brings it, because only commands may know the service. */
export type OpenAdministration<A extends Closable> = (dataDir: string) => Promise<A>

/** Opens a data directory (the user's own when none is named), uses it and lets go of it. */
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
