import { forEachConnection } from '../bench.js';
import { compare, rates } from '../compare.js';
import { repeating } from '../load/actor.js';
import { creations, messagePath } from '../load/requests.js';
import { ask } from '../servers/ask.js';
/** Creation of messages, each on the disk before its reply. */
export async function create({ options, children }) {
    const figures = [];
    for (const as of ['form', 'json']) {
        const steps = creations(as);
        const directory = await children.seed({ sent: 900, due: 100 });
        const relay = await children.relay(directory, `create-${as}`);
        const reply = await ask(relay.port, steps[0]?.bytes ?? '');
        const bare = await children.bare([[`POST ${messagePath}`, reply]]);
        const result = await compare(options, creators(bare, as), creators(relay, as));
        await relay.stop();
        await bare.stop();
        children.remove(directory);
        figures.push({
            row: `create, ${as === 'json' ? 'JSON' : 'form'}`,
            value: result.ratio,
            unit: 'ratio',
            target: { least: 0.6 },
            latencies: result.latencies,
            note: rates(result),
        });
    }
    return figures;
}
/** Every connection creates messages, one after the other. */
export function creators(server, as = 'form') {
    const steps = creations(as);
    return { server, actors: () => forEachConnection(number => repeating(steps, number * 50)) };
}
