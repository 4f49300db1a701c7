import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
const endsWithin = 20_000;
const longestChild = 300_000;
/** Room for a million messages on machines whose default is less. */
const room = '--max-old-space-size=4096';
/** Starts the processes of a benchmark, and lets none of them nor their data directories stay behind. */
export class Children {
    #options;
    #running = new Set();
    #root;
    constructor(options) {
        this.#options = options;
        this.#root = mkdtempSync(join(options.base, 'smsrelay-bench-'));
        process.once('exit', () => this.#end());
    }
    /** A new data directory that holds these messages. */
    async seed(amounts) {
        const directory = mkdtempSync(join(this.#root, 'data-'));
        const child = this.#fork('seed', [directory, JSON.stringify(amounts)], [room]);
        const [code] = await within(longestChild, once(child, 'exit'));
        if (code !== 0)
            throw new Error(`Writing a data directory failed with ${code}.`);
        return directory;
    }
    /** Starts the service on a data directory; `name` is that of its profile. */
    async relay(directory, name) {
        const { profiles } = this.#options;
        const profile = profiles === undefined ? [] : [join(profiles, `${name}.cpuprofile`)];
        return await this.#serving(this.#fork('relay', [directory, ...profile], [room]));
    }
    /** Starts the bare server with its replies: method and path, and the body. */
    async bare(replies) {
        const child = this.#fork('bare', [], []);
        child.send(replies);
        return await this.#serving(child);
    }
    /** Runs a child that tells one thing. */
    async ask(script, args, flags) {
        const child = this.#fork(script, args, [room, ...flags]);
        const [answer] = await within(longestChild, firstMessage(child));
        if (child.exitCode === null)
            await within(endsWithin, once(child, 'exit'));
        return answer;
    }
    /** Removes a data directory. */
    remove(directory) {
        rmSync(directory, { recursive: true, force: true });
    }
    #fork(script, args, execArgv) {
        const path = fileURLToPath(new URL(`./${script}.js`, import.meta.url));
        const child = fork(path, args, { execArgv: [...execArgv], stdio: ['ignore', 2, 2, 'ipc'] });
        this.#running.add(child);
        child.once('exit', () => this.#running.delete(child));
        return child;
    }
    async #serving(child) {
        const [port] = (await within(longestChild, firstMessage(child)));
        const stop = async () => {
            if (child.exitCode !== null || child.signalCode !== null)
                return;
            const exit = once(child, 'exit');
            child.disconnect();
            await within(endsWithin, exit);
        };
        const cpu = async () => {
            child.send('cpu');
            const [used] = (await within(endsWithin, firstMessage(child)));
            return used;
        };
        return { port, cpu, stop };
    }
    #end() {
        for (const child of this.#running)
            child.kill('SIGKILL');
        rmSync(this.#root, { recursive: true, force: true });
    }
}
async function firstMessage(child) {
    const ended = new AbortController();
    const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`A process of the benchmark ended early with ${code}: ${child.spawnargs.at(2)}`);
    });
    exit.catch(() => { });
    try {
        return await Promise.race([once(child, 'message'), exit]);
    }
    finally {
        ended.abort();
    }
}
async function within(milliseconds, work) {
    let timer;
    const late = new Promise((_, reject) => {
        const error = new Error(`A process of the benchmark took more than ${milliseconds} ms.`);
        timer = setTimeout(reject, milliseconds, error);
    });
    try {
        return await Promise.race([work, late]);
    }
    finally {
        clearTimeout(timer);
    }
}
