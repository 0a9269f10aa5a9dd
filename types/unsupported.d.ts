// What the official driver has and a read driver does not. It is there and refuses, with an error that says what to use.

/** No call signature: a call does not compile, and the message has the remedy. At runtime it is a MongoAPIError. */
export interface Unsupported<Remedy extends string = 'use the official mongodb driver for it'> {
  readonly remedy: Remedy;
}

interface UnsupportedClass {
  /** @throws {MongoAPIError} always */
  new (...args: never): Unsupported;
}

export declare const CancellationToken: UnsupportedClass;
export declare const ChangeStream: UnsupportedClass;
export declare const ChangeStreamCursor: UnsupportedClass;
export declare const ClientEncryption: UnsupportedClass;
export declare const ClientSession: UnsupportedClass;
export declare const GridFSBucket: UnsupportedClass;
export declare const GridFSBucketReadStream: UnsupportedClass;
export declare const GridFSBucketWriteStream: UnsupportedClass;
export declare const OrderedBulkOperation: UnsupportedClass;
export declare const UnorderedBulkOperation: UnsupportedClass;
export declare const WriteConcern: UnsupportedClass;

export {};
