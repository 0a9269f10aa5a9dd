'use strict';
// Binary values that change threads as they are. Their memory is handed over, not copied, and never goes through BSON or
// through the structured clone of a document.

const { types: { isProxy, isSharedArrayBuffer, isArrayBuffer } } = require('node:util');
const { invalidArgument } = require('../errors.js');
const { pack, unpack } = require('./values.js');

const MAX_DEPTH = 100;
const REMEDY = 'use typed arrays, ArrayBuffers, and arrays and plain objects of these and of primitives';
const sliceTyped = Object.getPrototypeOf(Uint8Array.prototype).slice;

/**
 * A value made of binary values, primitives, arrays and plain objects, with the memory to hand over.
 * @param {unknown} value
 * @param {string} what how an error calls it
 * @param {(buffer: ArrayBuffer) => boolean} [mayTransfer] whether memory is handed over; other memory is copied by postMessage
 * @returns {{ value: unknown, transfer: ArrayBuffer[], binary: boolean }} value: what to post. A view of a part of its memory
 *   has become a copy of that part: what else lies there is not meant. binary: there is a binary value in it
 * @throws {MongoInvalidArgumentError} for anything else, with its path
 */
function transferable(value, what, mayTransfer = () => true) {
  const transfer = new Set();
  let binary = false;

  const memory = (buffer, path) => {
    binary = true;
    if (isDetached(buffer)) throw invalidArgument(`${path} has been handed over before and is empty now: make a new one each time`);
    if (!isSharedArrayBuffer(buffer) && mayTransfer(buffer)) transfer.add(buffer);
  };
  const visit = (one, path, depth) => {
    if (one === null || (typeof one !== 'object' && typeof one !== 'function' && typeof one !== 'symbol')) return one;
    if (depth > MAX_DEPTH) throw invalidArgument(`${path} is nested too deeply or refers to what it is in`);
    if (isArrayBuffer(one) || isSharedArrayBuffer(one)) {
      memory(one, path);
      return one;
    }
    if (ArrayBuffer.isView(one)) return view(one, path);
    if (Array.isArray(one) && !isProxy(one)) return one.map((item, i) => visit(item, `${path}[${i}]`, depth + 1));
    if (isPlain(one)) {
      const copy = {};
      for (const key of Object.keys(one)) {
        const item = visit(one[key], `${path}.${key}`, depth + 1);
        Object.defineProperty(copy, key, { value: item, enumerable: true, configurable: true, writable: true });
      }
      return copy;
    }
    throw invalidArgument(`${path} is ${nameOf(one)}, which cannot be handed over: ${REMEDY}`);
  };
  const view = (one, path) => {
    const { buffer } = one;
    const whole = one.byteLength === buffer.byteLength;
    if (whole || isSharedArrayBuffer(buffer) || transfer.has(buffer)) {
      memory(buffer, path);
      return one;
    }
    const copy = one instanceof DataView
      ? new DataView(buffer.slice(one.byteOffset, one.byteOffset + one.byteLength))
      : sliceTyped.call(one);
    binary = true;
    transfer.add(copy.buffer);
    return copy;
  };

  const posted = visit(value, what, 0);
  return { value: posted, transfer: [...transfer], binary };
}

// Node.js 20 has no ArrayBuffer.prototype.detached, and posts a detached one without a word.
function isDetached(buffer) {
  try {
    return buffer.byteLength === 0 && new Uint8Array(buffer).length !== 0;
  } catch {
    return true;
  }
}

function isPlain(value) {
  if (typeof value !== 'object' || isProxy(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value) {
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isProxy(value)) return 'a lazy document';
  return `an instance of ${value.constructor?.name || 'a class'}`;
}

/**
 * One value, as transferable() has it when there is something binary in it and nothing that only BSON can carry, else as
 * BSON: see pack().
 * @returns {{ sent: object, transfer: ArrayBuffer[] }} sent: for receive()
 */
function send(value, what, bsonClasses, mayTransfer) {
  const found = attempt(value, what, mayTransfer);
  if (found !== null && found.binary) return { sent: { value: found.value }, transfer: found.transfer };
  const packed = pack(value, what, bsonClasses);
  return { sent: { packed }, transfer: packed.bytes === null ? [] : [packed.bytes.buffer] };
}

function attempt(value, what, mayTransfer) {
  try {
    return transferable(value, what, mayTransfer);
  } catch {
    return null; // pack() says it when BSON cannot hold it either
  }
}

function receive(sent, bsonClasses) {
  return sent.packed === undefined ? sent.value : unpack(sent.packed, bsonClasses);
}

module.exports = { transferable, send, receive };
