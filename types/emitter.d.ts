// What clients and cursors are as EventEmitters.

import { EventEmitter } from 'node:events';

export type GenericListener = (...args: any[]) => void;
export type EventsDescription = Record<string, GenericListener>;

/** An EventEmitter whose events are known. Others are as of any emitter. There is no such class at runtime. */
export declare class TypedEventEmitter<Events extends EventsDescription> extends EventEmitter {}
export interface TypedEventEmitter<Events extends EventsDescription> extends EventEmitter {
  on<E extends keyof Events>(event: E, listener: Events[E]): this;
  on(event: string | symbol, listener: GenericListener): this;
  once<E extends keyof Events>(event: E, listener: Events[E]): this;
  once(event: string | symbol, listener: GenericListener): this;
  off<E extends keyof Events>(event: E, listener: Events[E]): this;
  off(event: string | symbol, listener: GenericListener): this;
  addListener<E extends keyof Events>(event: E, listener: Events[E]): this;
  addListener(event: string | symbol, listener: GenericListener): this;
  removeListener<E extends keyof Events>(event: E, listener: Events[E]): this;
  removeListener(event: string | symbol, listener: GenericListener): this;
  prependListener<E extends keyof Events>(event: E, listener: Events[E]): this;
  prependListener(event: string | symbol, listener: GenericListener): this;
  prependOnceListener<E extends keyof Events>(event: E, listener: Events[E]): this;
  prependOnceListener(event: string | symbol, listener: GenericListener): this;
  listeners<E extends keyof Events>(event: E | string | symbol): Events[E][];
  rawListeners<E extends keyof Events>(event: E | string | symbol): Events[E][];
  emit<E extends keyof Events>(event: E | symbol, ...args: Parameters<Events[E]>): boolean;
}
