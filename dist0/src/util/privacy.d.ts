/** Whether users other than the owner may look into a directory; never so where the system has no such modes. */
export declare function isOpenToOthers(directory: string): Promise<boolean>;
