export declare const root: string;
export declare const stampFile: string;
export declare function hashSources(): string;
export declare function testBundle(): string;
export declare function isBuilt(): boolean;
