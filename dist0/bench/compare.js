import { Histogram } from './load/histogram.js';
import { load } from './load/load.js';
import { median } from './report/figure.js';
/** Measures the bare server, the service and the bare server again, round after round. */
export async function compare({ seconds, rounds }, bare, relay) {
    await measure(bare, Math.min(1, seconds));
    await measure(relay, Math.min(2, seconds));
    const bares = [await measure(bare, seconds)];
    const relays = [];
    for (let round = 0; round < rounds; round += 1) {
        relays.push(await measure(relay, seconds));
        bares.push(await measure(bare, seconds));
    }
    const bareRates = bares.map(each => each.rate(bare.name));
    const rates = relays.map(each => each.rate(relay.name));
    const around = rates.map((_, at) => ((bareRates[at] ?? 0) + (bareRates[at + 1] ?? 0)) / 2);
    return {
        ratio: median(rates.map((rate, at) => rate / (around[at] ?? 1))),
        cpuRatio: median(bares.map(each => each.cpu)) / median(relays.map(each => each.cpu)),
        bare: median(bareRates),
        relay: median(rates),
        latencies: merged(relays.map(each => each.all())),
        clientBusy: Math.max(...[...bares, ...relays].map(each => each.clientBusy)),
    };
}
/** Puts load on one side. */
export async function measure(side, seconds) {
    const before = await side.server.cpu();
    const result = await load({ port: side.server.port, actors: side.actors(), seconds });
    const used = (await side.server.cpu()) - before;
    return { ...result, cpu: used / result.total(side.name) };
}
/** All latencies together. */
export function merged(histograms) {
    const sum = new Histogram();
    for (const histogram of histograms)
        sum.merge(histogram);
    return sum;
}
/** Rates of a comparison, in words. */
export function rates({ relay, bare, cpuRatio, clientBusy }) {
    const busy = clientBusy > 0.97 ? ', client at its limit' : '';
    return `${Math.round(relay)}/s, bare ${Math.round(bare)}/s, of processor time ${cpuRatio.toFixed(2)}${busy}`;
}
