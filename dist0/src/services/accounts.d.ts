import type { Account } from '../domain/account.js';
import { type DeliveryMode } from '../domain/report.js';
import type { ServiceContext } from './context.js';
/** A new account to make; whatever is left out is chosen. */
export interface NewAccountDraft {
    readonly email: string;
    readonly password?: string | undefined;
    readonly country?: string | undefined;
    readonly mode?: DeliveryMode | undefined;
}
/** An account with what is kept only as a hash in the clear. */
export interface CreatedAccount {
    readonly account: Account;
    readonly password: string;
    readonly apiKey: string;
}
/** Keys in the clear. */
export interface Keys {
    readonly secretKey?: string;
    readonly apiKey?: string;
    readonly appKey?: string;
}
/** Administration of accounts; they are named by e-mail address. Throws `not_an_account`, `invalid_parameter`. */
export declare class AccountService {
    #private;
    constructor(context: ServiceContext);
    /** Makes an account with new keys. */
    create(draft: NewAccountDraft): Promise<CreatedAccount>;
    /** Every account, in order of creation. */
    list(): Promise<Account[]>;
    /** One account. */
    get(email: string): Promise<Account>;
    /** Changes the settings of an account. */
    change(email: string, changes: {
        country?: string | undefined;
        mode?: DeliveryMode | undefined;
    }): Promise<Account>;
    /** Replaces keys; tokens issued from them end. */
    rotate(email: string, which: 'secret' | 'api' | 'app' | 'all'): Promise<Keys>;
    /** Sets a password, or a random one; login tokens end. Resolves to the password. */
    setPassword(email: string, wanted?: string): Promise<string>;
    /** Removes an account with everything it owns. */
    remove(email: string): Promise<Account>;
}
