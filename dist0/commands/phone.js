var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { boolean, string } from '@oclif/core/flags';
import { ApiCommand } from '../src/cli/api-command.js';
import { resolveConnection } from '../src/cli/connection.js';
import { exitCodes } from '../src/cli/exit-codes.js';
import { driverOptions, phoneLine } from '../src/cli/phone-options.js';
import { defaultJournalDir } from '../src/cli/places.js';
import { integer } from '../src/cli/values.js';
import { RelayClient } from '../src/client/relay-client.js';
import { RelayError } from '../src/errors.js';
import { createDriver } from '../src/phone/drivers/index.js';
import { journalName, openFileJournal } from '../src/phone/file-journal.js';
import { runPhones } from '../src/phone/phones.js';
const onceAlone = '--once takes one message; leave --concurrency out.';
export default class Phone extends ApiCommand {
    static summary = 'Send what the relay has to send: NEXT, send, report, for ever.';
    static description = 'Signs in with the secret key and the application key. Driver simulate sends nothing; driver exec runs a ' +
        'program for each text, never through a shell, with the number and the text as its last two arguments and ' +
        'as SMSRELAY_DESTINATION and SMSRELAY_TEXT: exit 0 means sent (a number on stdout is the number of parts), ' +
        'anything else failed, for the reason on stderr. Ctrl-C finishes the message in hand; a second one gives it up. ' +
        'A journal on disk remembers what was sent: after a crash it is reported and not sent again, and what was ' +
        "being sent is reported as unknown, so that the account's delivery mode decides.";
    static examples = [
        '<%= config.bin %> phone --driver simulate --delay 2s --failure-rate 0.1',
        "<%= config.bin %> phone --driver exec --command '/usr/local/bin/send-sms --'",
        '<%= config.bin %> phone --driver simulate --once --json',
    ];
    static flags = {
        driver: string({
            description: 'How texts are sent: simulate or exec.',
            helpValue: 'NAME',
            env: 'SMSRELAY_DRIVER',
        }),
        command: string({
            description: 'exec: the program and its first arguments.',
            helpValue: 'COMMAND',
        }),
        'exec-timeout': string({
            description: 'exec: longest the program may run. [default: 60s]',
            helpValue: 'TIME',
        }),
        delay: string({
            description: 'simulate: time each text takes. [default: 0s]',
            helpValue: 'TIME',
        }),
        'failure-rate': string({
            description: 'simulate: share that fails, 0 to 1. [default: 0]',
            helpValue: 'RATE',
        }),
        seed: string({ description: 'simulate: the same seed fails the same texts.', helpValue: 'N' }),
        option: string({
            description: 'Any option of the driver; can be repeated.',
            helpValue: 'KEY=VALUE',
            multiple: true,
            multipleNonGreedy: true,
        }),
        concurrency: string({
            description: 'Messages in hand at a time, 1 to 64. [default: 1]',
            helpValue: 'N',
        }),
        journal: string({
            description: 'Directory of the journal, for this phone alone. [default: one for each relay and account]',
            helpValue: 'DIR',
            env: 'SMSRELAY_JOURNAL_DIR',
        }),
        'no-journal': boolean({ description: 'Remember in memory only: a crash forgets.' }),
        once: boolean({ description: 'End after one message, or at once when nothing is due.' }),
    };
    async run() {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { flags } = await this.parse(Phone);
            const name = await this.need(flags.driver, {
                name: '--driver',
                message: 'Driver',
                default: 'simulate',
            });
            const concurrency = integer('--concurrency', flags.concurrency ?? '1', 1, 64);
            if (flags.once && concurrency > 1)
                throw new RelayError('usage', onceAlone);
            const driver = __addDisposableResource(env_1, createDriver(name, driverOptions(flags), { env: this.io.env }), true);
            const connection = await resolveConnection(flags, this.io.env, ['app']);
            const journal = __addDisposableResource(env_1, flags['no-journal'] ? undefined : await this.#journal(flags, connection), true);
            const { signal: stop, force } = this;
            const result = await runPhones({
                ...{ driver, stop, force, once: flags.once, concurrency },
                ...(journal === undefined ? {} : { journals: journal }),
                createClient: async (worker) => await clientOf(connection, worker, journal),
                onEvent: event => this.#tell(event),
            });
            this.line({ event: 'end', ...result }, () => undefined);
            this.note(`${result.sent} sent, ${result.failed} failed, ${result.unknown} unknown.`);
            if (force.aborted && this.interrupted)
                this.endWith(exitCodes.interrupted);
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    }
    async #journal(flags, { url, credentials }) {
        const { env } = this.io;
        const directory = flags.journal ?? defaultJournalDir(journalName(url, credentials.user), env);
        const warn = (error) => this.#tell({ event: 'journal', error });
        return await openFileJournal(directory, { credentials, warn });
    }
    #tell(event) {
        this.line({ time: new Date().toISOString(), ...event }, phoneLine);
    }
}
/** A client of its own for each loop, with the token that loop had last: who asks again gets its message again. */
async function clientOf(connection, worker, journal) {
    if (journal === undefined)
        return new RelayClient(connection);
    const token = await journal.token(worker);
    return new RelayClient({
        ...connection,
        ...(token === undefined ? {} : { token }),
        onToken: async (issued) => await journal.keepToken(worker, issued),
    });
}
