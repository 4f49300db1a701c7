import { defaultDataDir } from './places.js';
/** Opens a data directory (the user's own when none is named), uses it and lets go of it. */
export async function administer(open, data, env, use) {
    const administration = await open(data ?? defaultDataDir(env));
    try {
        return await use(administration);
    }
    finally {
        await administration.close();
    }
}
