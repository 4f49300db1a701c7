import type { Account, Token, TokenKind } from '../../domain/account.js';
import type { AccountStore, TokenStore } from '../store.js';
import type { Engine } from './engine.js';
/** Accounts on the {@link Engine}. */
export declare class LowdbAccounts implements AccountStore {
    #private;
    constructor(engine: Engine);
    get(id: string): Promise<Account | undefined>;
    byEmail(email: string): Promise<Account | undefined>;
    bySecretKey(key: string): Promise<Account | undefined>;
    list(): Promise<Account[]>;
    create(account: Account): Promise<void>;
    change(id: string, decide: (account: Account) => Account): Promise<Account | undefined>;
    remove(id: string): Promise<void>;
}
/** Tokens on the {@link Engine}. */
export declare class LowdbTokens implements TokenStore {
    #private;
    constructor(engine: Engine);
    get(id: string): Promise<Token | undefined>;
    put(token: Token): Promise<void>;
    extend(id: string, expiresAt: number): Promise<void>;
    remove(id: string): Promise<void>;
    removeOf(account: string, kinds: readonly TokenKind[]): Promise<void>;
    removeExpired(now: number): Promise<void>;
}
