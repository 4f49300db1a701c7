// Child process: opens the store of a data directory and tells how long that took and what it holds. Needs --expose-gc.
import { openLowdbStore } from '../../src/store/lowdb/lowdb-store.js';
const collect = globalThis.gc ?? (() => { });
function held() {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
}
const before = held();
const residentBefore = process.memoryUsage().rss;
const from = performance.now();
const store = await openLowdbStore(process.argv[2] ?? '');
const seconds = (performance.now() - from) / 1000;
const heldBytes = held() - before;
const residentBytes = process.memoryUsage().rss - residentBefore;
process.send?.({ seconds, heldBytes, residentBytes });
await store.close();
process.disconnect();
