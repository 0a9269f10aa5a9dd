// Documents, and the questions asked about them.

import type { BSONRegExp, Decimal128, Document, Double, Int32, Long, ObjectId, ObjectIdLike as AnyObjectId } from 'bson';
import type { BSONType } from './names.js';

export type { Document };

/** An ObjectId of bson 6 or 7; structural, so that it fits whichever copy the application uses. */
export interface ObjectIdLike {
  readonly _bsontype: 'ObjectId';
  toHexString(): string;
}

/** The type of `_id`: the schema's, else ObjectId. */
export type InferIdType<T> = T extends { _id: infer Id } ? (Record<any, never> extends Id ? never : Id)
  : T extends { _id?: infer Id } ? (unknown extends Id ? ObjectId : Id)
  : ObjectId;

/** Omit that keeps unions apart and leaves a document of any fields as it is. */
export type EnhancedOmit<T, K> = string extends keyof T ? T : T extends any ? Pick<T, Exclude<keyof T, K>> : never;

/** A document as it is read: with its `_id`. */
export type WithId<T> = EnhancedOmit<T, '_id'> & { _id: InferIdType<T> };
export type OptionalId<T> = EnhancedOmit<T, '_id'> & { _id?: InferIdType<T> };
export type WithoutId<T> = Omit<T, '_id'>;

export type Flatten<V> = V extends ReadonlyArray<infer Item> ? Item : V;
export type IntegerType = number | Int32 | Long | bigint;
export type NumericType = IntegerType | Decimal128 | Double;
export type BSONTypeAlias = keyof typeof BSONType;
export type BitwiseFilter = number | Uint8Array | { readonly _bsontype: 'Binary' } | ReadonlyArray<number>;

/**
 * A query, with the values and operators of the official driver. Values are plain JavaScript and `bson` values.
 * Fields of the schema and the operators below are checked; other names, dotted ones among them, are free: StrictFilter
 * checks these, too.
 *
 * Objects that are exactly an Extended JSON wrapper (`{ $oid: '...' }`, `{ $date: ... }`, `{ $numberLong: '...' }`)
 * are converted; `{ $regex, $options }` stays an operator. Option `ejson: false` turns the conversion off.
 * Where a filter is a string it is Extended JSON text, of at most 16 MB and 200 levels.
 */
export type Filter<T = Document> = { [K in keyof WithId<T>]?: Condition<WithId<T>[K]> } & RootFilterOperators<WithId<T>>;

/** A Filter in which only fields of the schema can be named, nested ones by their dotted path. Expensive for wide schemas. */
export type StrictFilter<T> =
  | Partial<T>
  | ({ [P in NestedPath<WithId<T>>]?: Condition<PropertyType<WithId<T>, P>> } & Pick<RootFilterOperators<WithId<T>>, keyof Operators<T>>);

export interface RootFilterOperators<T> extends Operators<T>, Document {}

interface Operators<T> {
  $and?: Filter<T>[];
  $or?: Filter<T>[];
  $nor?: Filter<T>[];
  $text?: { $search: string; $language?: string; $caseSensitive?: boolean; $diacriticSensitive?: boolean };
  $where?: string | ((this: T) => boolean);
  $comment?: string | Document;
}

/** A value, or operators; of an array also one of its items. */
export type Condition<V> = AlternativeType<V> | FilterOperators<AlternativeType<V>>;
export type AlternativeType<V> = V extends ReadonlyArray<infer Item> ? V | RegExpOrString<Item> : RegExpOrString<V>;
export type RegExpOrString<V> = V extends string ? BSONRegExp | RegExp | V : V;
/** Free operators, but no ObjectId: that is a value. */
export type NonObjectIdLikeDocument = { [K in keyof AnyObjectId]?: never } & Document;

export interface FilterOperators<V> extends NonObjectIdLikeDocument {
  $eq?: V;
  $ne?: V;
  $gt?: V;
  $gte?: V;
  $lt?: V;
  $lte?: V;
  $in?: ReadonlyArray<V>;
  $nin?: ReadonlyArray<V>;
  $not?: FilterOperators<V> | (V extends string ? RegExp : never);
  /** Whether the field is there; with `true` also one that is null. */
  $exists?: boolean;
  $type?: BSONType | BSONTypeAlias;
  $expr?: Record<string, any>;
  $jsonSchema?: Record<string, any>;
  $mod?: V extends number ? [divisor: number, remainder: number] : never;
  $regex?: V extends string ? RegExp | BSONRegExp | string : never;
  $options?: V extends string ? string : never;
  $all?: ReadonlyArray<any>;
  $elemMatch?: Document;
  $size?: V extends ReadonlyArray<any> ? number : never;
  $geoIntersects?: { $geometry: Document };
  $geoWithin?: Document;
  $near?: Document;
  $nearSphere?: Document;
  $maxDistance?: number;
  $bitsAllClear?: BitwiseFilter;
  $bitsAllSet?: BitwiseFilter;
  $bitsAnyClear?: BitwiseFilter;
  $bitsAnySet?: BitwiseFilter;
  $rand?: Record<string, never>;
}

type Leaf = string | number | bigint | boolean | symbol | null | undefined | Date | RegExp | Uint8Array | ((...args: any[]) => any) | { _bsontype: string };

/** The dotted paths of a document's fields, seven levels deep at most: `address`, `address.city`, `tags.0`, `items.price`. */
export type NestedPath<T, Levels extends unknown[] = []> =
  Levels['length'] extends 7 ? never
    : T extends Leaf ? never
    : T extends ReadonlyArray<infer Item> ? `${number}` | `${number}.${NestedPath<Item, [...Levels, 0]>}` | NestedPath<Item, [...Levels, 0]>
    : T extends Map<string, any> ? string
    : { [K in keyof T & string]: K | `${K}.${NestedPath<NonNullable<T[K]>, [...Levels, 0]>}` }[keyof T & string];

/** What is at a dotted path. */
export type PropertyType<T, Path extends string> =
  T extends ReadonlyArray<infer Item> ? (Path extends `${number}` ? Item : Path extends `${number}.${infer Rest}` ? PropertyType<Item, Rest> : PropertyType<Item, Path>)
    : Path extends keyof T ? T[Path]
    : T extends Map<string, infer V> ? V
    : Path extends `${infer Key}.${infer Rest}` ? (Key extends keyof T ? PropertyType<NonNullable<T[Key]>, Rest> : unknown)
    : unknown;

export type SortDirection = 1 | -1 | 'asc' | 'desc' | 'ascending' | 'descending' | { readonly $meta: string };
export type Sort =
  | string
  | Exclude<SortDirection, { readonly $meta: string }>
  | ReadonlyArray<string>
  | { readonly [name: string]: SortDirection }
  | ReadonlyMap<string, SortDirection>
  | ReadonlyArray<readonly [string, SortDirection]>
  | readonly [string, SortDirection];

/** An index, by its name, its keys, or the names of ascending ones. */
export type Hint = string | Document;

export interface CollationOptions {
  locale: string;
  caseLevel?: boolean;
  caseFirst?: string;
  strength?: number;
  numericOrdering?: boolean;
  alternate?: string;
  maxVariable?: string;
  backwards?: boolean;
  normalization?: boolean;
}
