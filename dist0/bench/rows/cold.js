import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { destinations } from '../load/requests.js';
import { median } from '../report/figure.js';
import { keys } from '../servers/accounts.js';
const program = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));
const runsPerRound = 7;
/** The program from its start to its end, against Node that does nothing, in turn. */
export async function cold({ options, children }) {
    const directory = await children.seed({ sent: 1000 });
    const relay = await children.relay(directory, 'cold');
    const env = {
        SMSRELAY_URL: `http://127.0.0.1:${relay.port}`,
        SMSRELAY_SECRET_KEY: keys.secretKey,
        SMSRELAY_API_KEY: keys.apiKey,
        SMSRELAY_CONFIG_DIR: directory,
    };
    const nothing = [];
    const version = [];
    const send = [];
    for (let run = 0; run < runsPerRound * options.rounds; run += 1) {
        nothing.push(await time(['-e', '0'], env));
        version.push(await time([program, '--version'], env));
        send.push(await time([program, 'message', 'send', destinations[run] ?? '', 'Hello'], env));
    }
    await relay.stop();
    children.remove(directory);
    return [figure('--version', version, nothing), figure('message send', send, nothing)];
}
function figure(command, runs, nothing) {
    return {
        row: `smsrelay ${command}, cold`,
        value: median(runs) / median(nothing),
        unit: 'ratio',
        target: { most: 2.5 },
        p50: median(runs),
        p99: Math.max(...runs),
        note: `node -e 0: ${median(nothing).toFixed(0)} ms; p99 is the longest of ${runs.length}`,
    };
}
async function time(args, own) {
    const env = { ...process.env, ...own };
    const from = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    const took = performance.now() - from;
    if (code !== 0)
        throw new Error(`${args.join(' ')} ended with ${code}.`);
    return took;
}
