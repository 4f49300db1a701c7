/** The error a {@link Driver} throws; its message goes into the failure report. */
export class DriverError extends Error {
    name = 'DriverError';
    kind;
    constructor(kind, message, options) {
        super(message, options);
        this.kind = kind;
    }
}
