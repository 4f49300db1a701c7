/** The process itself; streams are looked up late, because opening them costs time. */
export const processIo = {
    get stdin() {
        return process.stdin;
    },
    get stdout() {
        return process.stdout;
    },
    get stderr() {
        return process.stderr;
    },
    get env() {
        return process.env;
    },
    signals: process,
    now: () => performance.now(),
    setExitCode(code) {
        process.exitCode = code;
    },
    forceExit(code) {
        process.exit(code);
    },
};
