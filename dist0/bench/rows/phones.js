import { forEachConnection } from '../bench.js';
import { compare, rates } from '../compare.js';
import { creations, messagePath, nextStandIn, phone, request, } from '../load/requests.js';
import { phoneToken } from '../servers/accounts.js';
import { ask } from '../servers/ask.js';
/** More than any service hands out. */
const messagesPerSecond = 10_000;
/** How many messages must be due for phones not to run out during a row. */
export function enoughFor(seconds) {
    return Math.ceil(messagesPerSecond * (seconds + 1));
}
/** Every connection is a phone with a token of its own. */
export function phonesOn(server, options = {}) {
    return { server, actors: () => forEachConnection(number => phone(number, options)) };
}
/** NEXT and success, nothing else. */
export async function next({ options, children }) {
    const due = enoughFor((options.rounds + 1) * options.seconds);
    const directory = await children.seed({ sent: 1000, due });
    const relay = await children.relay(directory, 'next');
    const token = phoneToken(0);
    const given = await ask(relay.port, request('NEXT', messagePath, token));
    const { id } = JSON.parse(given).message;
    const success = `${messagePath}/${id}/success`;
    const body = { type: 'application/json', text: '{"parts":1}' };
    const reported = await ask(relay.port, request('PUT', success, token, body));
    const bare = await children.bare([
        [`GET ${nextStandIn}`, given],
        [`PUT ${success}`, reported],
    ]);
    const result = await compare(options, phonesOn(bare, { bare: true }), phonesOn(relay));
    await relay.stop();
    await bare.stop();
    children.remove(directory);
    return [
        {
            ...{ row: 'NEXT + success, per request', value: result.ratio, unit: 'ratio' },
            target: { least: 0.6 },
            latencies: result.latencies,
            note: rates(result),
        },
    ];
}
/** Messages that are created and not yet done: enough to keep every phone busy, too few to pile up. */
const mostUnderWay = 128;
/** Create, NEXT and success side by side. */
export async function flow({ options, children }) {
    const directory = await children.seed({ sent: 1000 });
    const relay = await children.relay(directory, 'flow');
    const bare = await children.bare([['GET /', '{}']]);
    const ping = { name: 'fixed', bytes: request('GET', '/', phoneToken(0)) };
    const fixed = {
        server: bare,
        actors: () => forEachConnection(() => ({ readsBody: false, next: () => ping })),
    };
    const result = await compare(options, fixed, {
        server: relay,
        actors: throughput,
        name: 'success',
    });
    await relay.stop();
    await bare.stop();
    children.remove(directory);
    return [
        {
            ...{ row: 'create → NEXT → success, messages', value: result.ratio, unit: 'ratio' },
            target: { least: 0.15 },
            latencies: result.latencies,
            note: rates(result),
        },
    ];
}
/** As many creators as phones; a creator waits while enough is under way. */
function throughput() {
    const steps = creations('form');
    const waiting = [];
    let underWay = 0;
    let at = 0;
    const creator = () => {
        let wake = () => { };
        return {
            readsBody: false,
            attach: woken => {
                wake = woken;
            },
            next: () => {
                if (underWay >= mostUnderWay) {
                    waiting.push(wake);
                    return undefined;
                }
                underWay += 1;
                at = (at + 1) % steps.length;
                return steps[at];
            },
        };
    };
    const onDone = () => {
        underWay -= 1;
        waiting.shift()?.();
    };
    const phones = forEachConnection(number => phone(number, { waits: true, onDone }));
    return [...forEachConnection(creator), ...phones];
}
