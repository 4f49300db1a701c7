export { defaultDataDir } from './places.js';
/** A relay, and the keys of one account on it. */
export interface Profile {
    readonly url: string;
    readonly secret_key: string;
    readonly api_key?: string | undefined;
    readonly app_key?: string | undefined;
    readonly email?: string | undefined;
}
/** Name of the profile that is meant when none is named. */
export declare const defaultProfile = "default";
/** A saved profile; undefined when there is none of that name. Throws `damaged_data`, `usage`. */
export declare function readProfile(name: string, dir?: string): Promise<Profile | undefined>;
/** Saves a profile in a file that only this user may read; the file is replaced as a whole. */
export declare function saveProfile(name: string, profile: Profile, dir?: string): Promise<void>;
/** Forgets a profile; says whether there was one. */
export declare function removeProfile(name: string, dir?: string): Promise<boolean>;
