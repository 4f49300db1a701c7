import { isCountry } from '../domain/phone-number.js';
import { deliveryModes } from '../domain/report.js';
import { RelayError } from '../errors.js';
import { digest, hashPassword, randomSecret } from '../util/secrets.js';
const leastPassword = 8;
/** Administration of accounts; they are named by e-mail address. Throws `not_an_account`, `invalid_parameter`. */
export class AccountService {
    #context;
    constructor(context) {
        this.#context = context;
    }
    /** Makes an account with new keys. */
    async create(draft) {
        const password = checkPassword(draft.password ?? randomSecret());
        const keys = newKeys();
        const account = {
            id: this.#context.newId(),
            email: checkEmail(draft.email),
            passwordHash: await hashPassword(password),
            secretKey: keys.secretKey,
            appKey: keys.appKey,
            apiKeyHash: digest(keys.apiKey),
            country: checkCountry(draft.country ?? 'US'),
            mode: checkMode(draft.mode ?? 'at-least-once'),
            createdAt: this.#context.now(),
        };
        await this.#context.store.accounts.create(account);
        return { account, password, apiKey: keys.apiKey };
    }
    /** Every account, in order of creation. */
    async list() {
        return await this.#context.store.accounts.list();
    }
    /** One account. */
    async get(email) {
        const account = await this.#context.store.accounts.byEmail(email);
        if (account !== undefined)
            return account;
        throw new RelayError('not_an_account', `There is no account ${email}; list the accounts to see them.`);
    }
    /** Changes the settings of an account. */
    async change(email, changes) {
        const country = changes.country === undefined ? {} : { country: checkCountry(changes.country) };
        const mode = changes.mode === undefined ? {} : { mode: checkMode(changes.mode) };
        return await this.#change(email, account => ({ ...account, ...country, ...mode }));
    }
    /** Replaces keys; tokens issued from them end. */
    async rotate(email, which) {
        const { secretKey, apiKey, appKey } = newKeys();
        const has = (name) => which === 'all' || which === name;
        const account = await this.#change(email, current => ({
            ...current,
            ...(has('secret') ? { secretKey } : {}),
            ...(has('api') ? { apiKeyHash: digest(apiKey) } : {}),
            ...(has('app') ? { appKey } : {}),
        }));
        await this.#context.store.tokens.removeOf(account.id, kindsOf(which));
        return {
            ...(has('secret') ? { secretKey } : {}),
            ...(has('api') ? { apiKey } : {}),
            ...(has('app') ? { appKey } : {}),
        };
    }
    /** Sets a password, or a random one; login tokens end. Resolves to the password. */
    async setPassword(email, wanted) {
        const password = checkPassword(wanted ?? randomSecret());
        const passwordHash = await hashPassword(password);
        const account = await this.#change(email, current => ({ ...current, passwordHash }));
        await this.#context.store.tokens.removeOf(account.id, ['login']);
        return password;
    }
    /** Removes an account with everything it owns. */
    async remove(email) {
        const account = await this.get(email);
        await this.#context.store.accounts.remove(account.id);
        return account;
    }
    async #change(email, decide) {
        const { id } = await this.get(email);
        return (await this.#context.store.accounts.change(id, decide)) ?? (await this.get(email));
    }
}
function newKeys() {
    return {
        secretKey: randomSecret('srs_'),
        apiKey: randomSecret('sra_'),
        appKey: randomSecret('srp_'),
    };
}
function kindsOf(which) {
    return which === 'api' || which === 'app' ? [which] : ['api', 'app'];
}
function checkEmail(email) {
    if (/^[^\s@:]+@[^\s@:]+$/.test(email) && email.length <= 254)
        return email;
    throw new RelayError('invalid_parameter', '`email` must be an e-mail address, such as me@example.com.');
}
function checkCountry(country) {
    const code = country.toUpperCase();
    if (isCountry(code))
        return code;
    throw new RelayError('invalid_parameter', '`country` must be an ISO 3166 code of two letters, such as US.');
}
function checkMode(mode) {
    if (deliveryModes.includes(mode))
        return mode;
    throw new RelayError('invalid_parameter', `\`mode\` must be ${deliveryModes.join(' or ')}.`);
}
function checkPassword(password) {
    if (password.length >= leastPassword && password.length <= 1024)
        return password;
    throw new RelayError('invalid_parameter', `\`password\` must have ${leastPassword} to 1024 characters.`);
}
