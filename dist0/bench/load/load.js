import { Connection } from './connection.js';
import { Histogram } from './histogram.js';
const patience = 2000;
/** Puts load on a server of this machine. Rejects at the first reply that is not a 200, and at a lost connection. */
export async function load(options) {
    const run = new LoadRun(options);
    try {
        return await run.measure();
    }
    finally {
        run.end();
    }
}
class LoadRun {
    #options;
    #latencies = new Map();
    #connections = [];
    #failure;
    #fail = () => { };
    #totals = new Map();
    #counting = false;
    #ending = false;
    #busy = 0;
    constructor(options) {
        this.#options = options;
        this.#failure = new Promise((_, reject) => {
            this.#fail = reject;
        });
        this.#failure.catch(() => { });
    }
    async measure() {
        const { actors, seconds, warmup = 0.3 } = this.#options;
        for (const actor of actors)
            await this.#start(actor);
        await this.#during(warmup * 1000);
        this.#counting = true;
        const from = performance.now();
        const cpu = process.cpuUsage();
        await this.#during(seconds * 1000);
        this.#counting = false;
        const took = (performance.now() - from) / 1000;
        const { user, system } = process.cpuUsage(cpu);
        this.#ending = true;
        await this.#drained();
        return summary(this.#latencies, this.#totals, took, (user + system) / 1e6 / took);
    }
    end() {
        this.#ending = true;
        for (const connection of this.#connections)
            connection.destroy();
    }
    async #start(actor) {
        let step;
        let since = 0;
        const go = (body) => {
            step = this.#ending ? undefined : actor.next(body);
            if (step === undefined)
                return;
            this.#busy += 1;
            since = performance.now();
            connection.send(step.bytes);
        };
        const onReply = (status, body, raw) => {
            this.#busy -= 1;
            const name = step?.name ?? '';
            this.#totals.set(name, (this.#totals.get(name) ?? 0) + 1);
            if (status !== 200)
                this.#fail(refusal(step, raw()));
            else if (this.#counting)
                this.#count(name, performance.now() - since);
            go(body);
        };
        const onEnd = (why) => this.#fail(new Error(why));
        const connection = await Connection.open(this.#options.port, actor.readsBody, onReply, onEnd);
        this.#connections.push(connection);
        actor.attach?.(() => {
            if (step === undefined)
                go(undefined);
        });
        go(undefined);
    }
    #count(name, latency) {
        if (this.#options.isCounted?.() === false)
            return;
        let histogram = this.#latencies.get(name);
        if (histogram === undefined) {
            histogram = new Histogram();
            this.#latencies.set(name, histogram);
        }
        histogram.add(latency);
    }
    async #during(milliseconds) {
        const end = performance.now() + milliseconds;
        for (let left = milliseconds; left > 0; left = end - performance.now()) {
            if (this.#options.isOver?.() === true)
                return;
            await Promise.race([pause(Math.min(left, 100)), this.#failure]);
        }
    }
    /** Replies in flight are let come: a request cut off would leave the next measurement something to clean up. */
    async #drained() {
        const end = performance.now() + patience;
        while (this.#busy > 0 && performance.now() < end) {
            await Promise.race([pause(5), this.#failure]);
        }
    }
}
function summary(latencies, totals, seconds, clientBusy) {
    const all = () => {
        const sum = new Histogram();
        for (const histogram of latencies.values())
            sum.merge(histogram);
        return sum;
    };
    const rate = (name) => (name === undefined ? all().size : (latencies.get(name)?.size ?? 0)) / seconds;
    const total = (name) => name === undefined
        ? [...totals.values()].reduce((sum, count) => sum + count, 0)
        : (totals.get(name) ?? 0);
    return { seconds, latencies, rate, total, all, clientBusy };
}
function refusal(step, reply) {
    const request = step?.bytes.slice(0, step.bytes.indexOf('\r\n')) ?? 'a request';
    return new Error(`The load was answered something else than 200.\n${request}\n${reply}`);
}
function pause(milliseconds) {
    return new Promise(resolve => setTimeout(resolve, milliseconds));
}
