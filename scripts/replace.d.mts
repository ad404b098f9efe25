export declare function replace(from: string, to: string): void;
