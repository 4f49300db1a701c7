import { resolve } from 'node:path';
import { backupData, checkData, exportData, importData, repairData, } from './store/lowdb/data-tools.js';
import { lockDirectory } from './util/directory-lock.js';
export { exportData };
/** Reports what is whole in a data directory and what is not; the service may run. */
export async function checkDirectory(directory) {
    return await checkData(resolve(directory));
}
/** Saves what is whole, and moves the rest aside; resolves to where. Throws `directory_in_use`. */
export async function repairDirectory(directory) {
    const path = resolve(directory);
    return await holding(path, async () => await repairData(path, new Date()));
}
/** Makes a data directory of exported records; resolves to their number. Throws `directory_in_use`, `configuration`. */
export async function importDirectory(directory, records) {
    const path = resolve(directory);
    return await holding(path, async () => await importData(path, records));
}
/** Copies a data directory as it is at one moment; the service may run. Resolves to the path of the copy. */
export async function backupDirectory(directory, target) {
    const path = resolve(target);
    await backupData(resolve(directory), path);
    return path;
}
async function holding(directory, work) {
    const lock = await lockDirectory(directory);
    try {
        return await work();
    }
    finally {
        await lock.release();
    }
}
